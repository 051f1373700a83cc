import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { retryRun, stopRun } from '../../acts/runActs.tsx';
import { callApi } from '../../api/callApi.ts';
import { type Resource, useResource } from '../../api/useResource.ts';
import type { ScreenProps } from '../../frame/screen.ts';
import { Action } from '../../parts/action.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { shortRun, statusOfRun } from '../../runs/runWords.ts';
import { linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { RunLife } from './runLife.tsx';
import { RunMessages } from './runMessages.tsx';
import { RunOutput } from './runOutput.tsx';
import type { ShownRun } from './shownRun.ts';
import { SlotAt } from './slotAt.tsx';

/** A run: what it wrote comes first. */
export function RunScreen({ names: { run = '' } }: ScreenProps): JSX.Element {
  const shown = useResource<ShownRun>(run, {
    read: (signal) => callApi('GET /runs/{run}', { path: { run }, signal }),
    isAbout: (event) =>
      'launchId' in event &&
      (event.launchId === run || ('requestId' in event && event.requestId === run)),
    everyMs: 5_000,
  });
  const isAwaited = useSignal(false);
  return (
    <div class="screen run">
      <RunHead run={run} shown={shown} isAwaited={isAwaited} />
      <Loaded of={shown} lines={12}>
        {(loaded) => (
          <>
            <div class="columns">
              <RunOutput run={loaded} />
              <RunLife run={loaded} isAwaited={isAwaited} />
            </div>
            {loaded.life && <SlotAt life={loaded.life} />}
            <RunMessages run={loaded} />
          </>
        )}
      </Loaded>
    </div>
  );
}

interface HeadProps {
  readonly run: string;
  readonly shown: Resource<ShownRun>;
  /** Whether its next attempt is waited for. */
  readonly isAwaited: Signal<boolean>;
}

function RunHead({ isAwaited, run, shown }: HeadProps): JSX.Element {
  const data = shown.data.value;
  const isOver = data !== null && data.result !== null;
  const again = async () => {
    if (data !== null) isAwaited.value = await retryRun(data);
    shown.reload();
  };
  const stop = async () => {
    await stopRun(run);
    shown.reload();
  };
  return (
    <header class="bar">
      <a class="up" href={linkTo(['jobs'])}>
        Jobs
      </a>
      {data && (
        <a class="up" href={linkTo(['jobs', data.job])}>
          {showLine(data.job)}
        </a>
      )}
      <h1 class="mono">{data?.launchId ? shortRun(data.launchId) : `run ${showLine(run)}`}</h1>
      <span class="statuses">
        {data && <StatusBadge status={statusOfRun(data)} />}
        {data?.reason && (
          <span class={`held${isOver ? ' whole' : ''}`}>{showLine(data.reason)}</span>
        )}
      </span>
      <div class="tools">
        <Action
          icon="stop"
          kind="danger"
          needs="operator"
          whyNot={data === null ? unread : isOver ? 'It has ended.' : null}
          onAct={stop}
        >
          Stop
        </Action>
        <Action
          icon="retry"
          needs="operator"
          whyNot={isOver ? null : 'It has not ended yet.'}
          onAct={again}
        >
          Retry
        </Action>
      </div>
    </header>
  );
}

const unread = 'It is not known yet.';
