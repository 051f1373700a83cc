import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Percentiles, RunStrip } from '../../parts/runStrip.tsx';
import { Section } from '../../parts/section.tsx';
import { Zoned } from '../../parts/timeText.tsx';
import { Word } from '../../parts/word.tsx';
import { RunTable } from '../../runs/runTable.tsx';
import type { Run } from '../../runs/runWords.ts';

const shownMax = '25';

/** The runs of a job that ended last, and those under way above them. */
export function RecentRuns({ job }: { readonly job: string }): JSX.Element {
  const runs = useResource<readonly Run[]>(job, {
    read: async (signal) => {
      const [running, ended] = await Promise.all([
        callApi('GET /runs', { query: { job, running: 'true' }, signal }),
        callApi('GET /runs', { query: { job, limit: shownMax, lastLine: 'true' }, signal }),
      ]);
      return [...running.items, ...ended.items];
    },
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === job,
  });
  return (
    <Section title={<Zoned title="Runs" />} tools={<Durations job={job} />}>
      <Loaded of={runs} lines={8}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">There are no runs to show.</p>
          ) : (
            <RunTable runs={items} />
          )
        }
      </Loaded>
    </Section>
  );
}

/** How its last runs went, and how long they took. */
function Durations({ job }: { readonly job: string }): JSX.Element | null {
  const listed = useResource(job, {
    read: (signal) => callApi('GET /jobs', { query: { name: job, stats: 'true' }, signal }),
    isAbout: (event) => event.type === 'run.ended' && event.job === job,
  });
  const stats = listed.data.value?.items[0]?.stats;
  if (stats === undefined || stats.recent.length === 0) return null;
  return (
    <span class="durations">
      <span class="quiet">
        <Word text="p50, p95" />:
      </span>{' '}
      <Percentiles stats={stats} />
      <RunStrip runs={stats.recent} />
    </span>
  );
}
