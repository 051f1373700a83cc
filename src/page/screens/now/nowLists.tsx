import type { JSX } from 'preact';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, Took, Until } from '../../parts/timeText.tsx';
import { originText, runName, statusOfRun, triggerWords, whyText } from '../../runs/runWords.ts';
import { linkTo } from '../../state/place.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import type { NowState, Some } from './readNow.ts';

interface ListProps {
  readonly title: string;
  /** What is said when there is none. */
  readonly none: string;
  /** Where all of them are. */
  readonly all?: string;
}

/** The heads of the columns, each with its class. */
type Heads = readonly (readonly [word: string, name?: string])[];

const jobHeads: Heads = [['State'], ['Job'], ['Ended'], ['Next tick', 'next']];

type JobsProps = ListProps & {
  readonly jobs: NowState['failing'];
  /** They are here for what came of their last runs. */
  readonly isByResult?: boolean;
};

/** Some jobs, each in a line. */
export function NowJobs({ all, isByResult = false, jobs, none, title }: JobsProps): JSX.Element {
  const heads = isByResult ? [['Last result'] as const, ...jobHeads.slice(1)] : jobHeads;
  return (
    <Lines title={title} none={none} some={jobs} heads={heads} {...(all && { all })}>
      {jobs.items.map((job) => (
        <tr key={job.job}>
          <td class="nowrap">
            <StatusBadge status={isByResult ? (job.lastResult ?? 'none') : job.state} />
          </td>
          <td class="wide">
            <a href={linkTo(['jobs', job.job])} data-row>
              {showLine(job.job)}
            </a>
          </td>
          <td class="nowrap quiet">
            {job.lastEndedAt === null ? '' : <Ago at={job.lastEndedAt} />}
          </td>
          <td class="nowrap next">
            <Until at={job.next} none="" />
          </td>
        </tr>
      ))}
    </Lines>
  );
}

const runHeads: Heads = [['State'], ['Job'], ['Started by'], ['Runs for'], ['Node']];

/** Some runs under way, each in a line. */
export function NowRuns({ all, none, runs, title }: ListProps & { runs: NowState['running'] }) {
  return (
    <Lines title={title} none={none} some={runs} heads={runHeads} {...(all && { all })} isStacked>
      {runs.items.map((run) => (
        <tr key={run.launchId}>
          <td class="nowrap">
            <a href={linkTo(['runs', runName(run)])} data-row>
              <StatusBadge status={statusOfRun(run)} />
            </a>
          </td>
          <td class="name">
            <a href={linkTo(['jobs', run.job])}>{showLine(run.job)}</a>
          </td>
          <td class="why quiet">
            <span>{originText(run, triggerWords)}</span>
          </td>
          <td class="nowrap quiet">
            <Took from={run.startedAt} to={null} />
          </td>
          <td class="nowrap quiet">{showLine(run.node ?? '')}</td>
        </tr>
      ))}
    </Lines>
  );
}

const nextHeads: Heads = [['Due'], ['Job'], ['State'], ['Further ticks', 'next']];

/** What runs next, each job once. */
export function NowNext({ all, next, none, title }: ListProps & { next: NowState['next'] }) {
  return (
    <Lines title={title} none={none} some={next} heads={nextHeads} {...(all && { all })}>
      {next.items.map(({ at, job, more, node, state }) => (
        <tr key={`${job} ${node}`}>
          <td class="nowrap">
            <Until at={at} />
          </td>
          <td class="wide">
            <a href={linkTo(['jobs', job])} data-row>
              {showLine(job)}
            </a>
          </td>
          <td class="nowrap quiet">
            {state === 'cannot_run' || state === 'observed' ? <StatusBadge status={state} /> : ''}
          </td>
          <td class="nowrap quiet number next">{more > 0 && formatCount(more)}</td>
        </tr>
      ))}
    </Lines>
  );
}

const failedHeads: Heads = [['Result'], ['Job'], ['Why'], ['Times'], ['Last'], ['Since then']];

/** Jobs of which runs failed, each with the last of them. */
export function NowFailed({ failed, none, title }: ListProps & { failed: NowState['failed'] }) {
  return (
    <Lines title={title} none={none} some={failed} heads={failedHeads} isStacked>
      {failed.items.map(({ isRemoved, isWell, last, times }) => (
        <tr key={last.job}>
          <td class="nowrap">
            <a href={linkTo(['runs', runName(last)])} data-row>
              <StatusBadge status={statusOfRun(last)} />
            </a>
          </td>
          <td class="name">
            <a href={linkTo(['jobs', last.job])}>{showLine(last.job)}</a>
          </td>
          <td class="why quiet">
            <span title={whyText(last)}>{whyText(last)}</span>
          </td>
          <td class="nowrap quiet number times">{formatCount(times)}</td>
          <td class="nowrap quiet">
            <Ago at={last.endedAt} />
          </td>
          <td class="nowrap since">
            {isWell && <StatusBadge status="succeeded" />}
            {isRemoved && <span class="quiet">removed</span>}
          </td>
        </tr>
      ))}
    </Lines>
  );
}

type LinesProps = ListProps & { some: Some<unknown>; heads: Heads; children: JSX.Element[] } & {
  /** Where it is narrow each line is in several. */
  readonly isStacked?: boolean;
};

function Lines({ all, children, heads, isStacked, none, some, title }: LinesProps): JSX.Element {
  const isMore = all !== undefined && !some.isWhole;
  return (
    <Section title={title} {...(isMore && { tools: <a href={all}>Show all</a> })}>
      {children.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <table class={isStacked ? 'stacks' : ''}>
          <thead>
            <tr>
              {heads.map(([word, name]) => (
                <th key={word} scope="col" class={name}>
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
      {isMore && <p class="quiet">There are more than these {some.items.length}.</p>}
    </Section>
  );
}
