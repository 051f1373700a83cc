import type { JSX } from 'preact';
import { Scrolls } from '../parts/scrolls.tsx';
import { StatusBadge } from '../parts/statusBadge.tsx';
import { Time, Took } from '../parts/timeText.tsx';
import { Word } from '../parts/word.tsx';
import { linkTo } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import { originText, type Run, runName, statusOfRun, whyText } from './runWords.ts';

interface TableProps {
  readonly runs: readonly Run[];
  /** They are of several jobs. */
  readonly hasJobs?: boolean;
}

/** Runs, each in a line that leads to its output. The zone of its times stands in the title. */
export function RunTable({ hasJobs = false, runs }: TableProps): JSX.Element {
  // They are in the order of their ends, which the column shows where it is a list by itself.
  const isByEnd = hasJobs && runs.some(({ endedAt }) => endedAt !== null);
  return (
    <Scrolls label="Runs">
      <table class={hasJobs ? 'runs of-jobs stacks' : 'runs stacks'}>
        <thead>
          <tr>
            <th scope="col">Result</th>
            {hasJobs && <th scope="col">Job</th>}
            <th scope="col">
              <Word text="Tick" />
            </th>
            {isByEnd ? (
              <th scope="col" class="started" aria-sort="descending">
                Ended
              </th>
            ) : (
              <th scope="col" class="started">
                Started
              </th>
            )}
            <th scope="col" class="took">
              Took
            </th>
            <th scope="col" class="node">
              Node
            </th>
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
              {hasJobs && (
                <td class="job">
                  <a href={linkTo(['jobs', run.job])}>{showLine(run.job)}</a>
                </td>
              )}
              <td class="nowrap number tick" data-label="tick">
                <Time at={run.scheduledFor} />
                {run.ticks > 1 && <span class="quiet"> ×{run.ticks}</span>}{' '}
                {originText(run) !== '' && <span class="origin quiet">{originText(run)}</span>}
              </td>
              <td class="nowrap number started" data-label={isByEnd ? 'ended' : 'started'}>
                <Time at={isByEnd ? run.endedAt : run.startedAt} />
              </td>
              <td class="nowrap took">
                <Took from={run.startedAt} to={run.endedAt} />
              </td>
              <td class="nowrap node">{showLine(run.node ?? '')}</td>
              <td class="why">
                <span title={whyText(run)}>{whyText(run)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
