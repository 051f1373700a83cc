import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Fact } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { type Run, shortRun, statusOfRun } from '../../runs/runWords.ts';
import { goTo, linkTo } from '../../state/place.ts';
import type { ShownRun } from './shownRun.ts';

interface TriedAgainProps {
  /** Not the last attempt of its tick. */
  readonly run: ShownRun;
  /** Whether its reader waits for the next attempt, and is led to it. */
  readonly isAwaited: Signal<boolean>;
}

/** The newest attempt of the same tick, as soon as it has been launched. */
export function TriedAgain({ isAwaited, run }: TriedAgainProps): JSX.Element {
  const newest = useResource<Run | null>(`${run.launchId}`, {
    read: (signal) => readNewest(run, signal),
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === run.job,
  });
  const found = newest.data.value;
  useEffect(() => {
    if (isAwaited.value && found?.launchId) goTo(['runs', found.launchId]);
  }, [found, isAwaited]);
  return (
    <Fact term="tried again as">
      {found?.launchId ? (
        <>
          <a href={linkTo(['runs', found.launchId])}>{shortRun(found.launchId)}</a>{' '}
          <StatusBadge status={statusOfRun(found)} />
        </>
      ) : (
        <span class="quiet">not started yet</span>
      )}
    </Fact>
  );
}

const readMax = '1000';

async function readNewest(run: ShownRun, signal: AbortSignal): Promise<Run | null> {
  const { attempt, endedAt, job, nodeName, requestId, scheduledFor } = run;
  const request = requestId ?? undefined;
  const [running, ended] = await Promise.all(
    [{ running: 'true' } as const, { since: endedAt ?? undefined, limit: readMax }].map((query) =>
      callApi('GET /runs', { query: { job, request, ...query }, signal }),
    ),
  );
  const isLater = (each: Run) =>
    each.attempt > attempt &&
    each.launchId !== null &&
    [each.scheduledFor, each.nodeName, each.requestId].join() ===
      [scheduledFor, nodeName, requestId].join();
  const later = [...(running?.items ?? []), ...(ended?.items ?? [])].filter(isLater);
  return later.sort((one, other) => other.attempt - one.attempt)[0] ?? null;
}
