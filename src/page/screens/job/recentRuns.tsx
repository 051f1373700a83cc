import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Percentiles, RunStrip } from '../../parts/runStrip.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Time, Took, ZoneName } from '../../parts/timeText.tsx';
import { type Run, runName, statusOfRun, whyText } from '../../runs/runWords.ts';
import { linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';

const shownMax = '25';

/** The runs of a job that ended last, and those under way above them. */
export function RecentRuns({ job }: { readonly job: string }): JSX.Element {
  const runs = useResource<readonly Run[]>(job, {
    read: async (signal) => {
      const [running, ended] = await Promise.all([
        callApi('GET /runs', { query: { job, running: 'true' }, signal }),
        callApi('GET /runs', { query: { job, limit: shownMax }, signal }),
      ]);
      return [...running.items, ...ended.items];
    },
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === job,
  });
  return (
    <Section title="Runs" tools={<Durations job={job} />}>
      <Loaded of={runs} lines={8}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">None yet, or none is kept any more.</p>
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
      <span class="quiet">p50, p95:</span> <Percentiles stats={stats} />
      <RunStrip runs={stats.recent} />
    </span>
  );
}

function RunTable({ runs }: { readonly runs: readonly Run[] }): JSX.Element {
  return (
    <Scrolls label="Runs">
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">
              Tick (<ZoneName />)
            </th>
            <th scope="col">Took</th>
            <th scope="col">Node</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.runId ?? run.launchId}>
              <td class="nowrap">
                <a href={linkTo(['runs', runName(run)])} data-row>
                  <StatusBadge status={statusOfRun(run)} />
                </a>
              </td>
              <td class="nowrap number">
                <Time at={run.scheduledFor} />
                {run.ticks > 1 && <span class="quiet"> ×{run.ticks}</span>}
              </td>
              <td class="nowrap">
                <Took from={run.startedAt} to={run.endedAt} />
              </td>
              <td class="nowrap">{showLine(run.node ?? '')}</td>
              <td class="why">{whyText(run)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
