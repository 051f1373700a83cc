import type { JSX } from 'preact';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, Time, Took, Until, ZoneName } from '../../parts/timeText.tsx';
import {
  originText,
  type Run,
  runName,
  statusOfRun,
  triggerWords,
  whyText,
} from '../../runs/runWords.ts';
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

const failingHeads: Heads = [['Last result'], ['Job'], ['Why'], ['Ended'], ['Next tick', 'next']];

/** Jobs whose last run failed, each with why, and the way to that run and its output. */
export function NowFailing({ all, jobs, none, title }: ListProps & { jobs: NowState['failing'] }) {
  return (
    <Lines
      title={title}
      none={none}
      some={jobs}
      heads={failingHeads}
      {...(all && { all })}
      isStacked
    >
      {jobs.items.map(({ job, last, lastEndedAt, lastResult, mutedUntil, next }) => (
        <tr key={job}>
          <td class="nowrap">
            {last === undefined ? (
              <StatusBadge status={lastResult ?? 'none'} />
            ) : (
              <RunBadge run={last} />
            )}
          </td>
          <td class="name">
            <a href={linkTo(['jobs', job])}>{showLine(job)}</a>
          </td>
          <Why run={last} mutedUntil={mutedUntil} />
          <td class="nowrap quiet">
            <Ago at={lastEndedAt} none="" />
          </td>
          <td class="nowrap next">
            <Until at={next} none="" />
          </td>
        </tr>
      ))}
    </Lines>
  );
}

function RunBadge({ run }: { readonly run: Run }): JSX.Element {
  return (
    <a href={linkTo(['runs', runName(run)])} data-row>
      <StatusBadge status={statusOfRun(run)} />
    </a>
  );
}

interface WhyProps {
  readonly run: Run | undefined;
  readonly mutedUntil?: string | null;
}

/** Why a run ended as it did, in a cell, and until when nobody is told. */
function Why({ mutedUntil, run }: WhyProps): JSX.Element {
  const text = run === undefined ? '' : whyText(run);
  return (
    <td class="why quiet">
      <span title={text}>{text}</span>
      {mutedUntil && (
        <span>
          alerts muted until <Time at={mutedUntil} /> <ZoneName />
        </span>
      )}
    </td>
  );
}

const jobHeads: Heads = [['State'], ['Job'], ['Why'], ['Ended'], ['Next tick', 'next']];

/** Some jobs that something holds back, each in a line with the way to what it is. */
export function NowJobs({ all, jobs, none, title }: ListProps & { jobs: NowState['waiting'] }) {
  return (
    <Lines title={title} none={none} some={jobs} heads={jobHeads} {...(all && { all })}>
      {jobs.items.map((job) => (
        <tr key={job.job}>
          <td class="nowrap">
            <StatusBadge status={job.state} />
          </td>
          <td class="wide">
            <a href={linkTo(['jobs', job.job])} data-row>
              {showLine(job.job)}
            </a>
          </td>
          <td class="nowrap">
            <a href={linkTo(['jobs', job.job], { why: 'open' })}>Show why</a>
          </td>
          <td class="nowrap quiet">
            <Ago at={job.lastEndedAt} none="no run yet" />
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
            <RunBadge run={run} />
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
            <RunBadge run={last} />
          </td>
          <td class="name">
            <a href={linkTo(['jobs', last.job])}>{showLine(last.job)}</a>
          </td>
          <Why run={last} />
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
