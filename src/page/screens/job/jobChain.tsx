import type { ComponentChildren, JSX } from 'preact';
import { type Answer, callApi } from '../../api/callApi.ts';
import { type Resource, useResource } from '../../api/useResource.ts';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago } from '../../parts/timeText.tsx';
import { Word } from '../../parts/word.tsx';
import { linkTo } from '../../state/place.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

type Chain = Answer<'GET /jobs/{job}/chain'>;
type Side = Chain['upstreams'];
type ChainedJob = Side['items'][number];

interface ChainProps {
  readonly job: string;
  /** What is below it: shown as soon as it is known how high it is, so that nothing moves. */
  readonly children: ComponentChildren;
}

/** The jobs that start a job and those that it starts, as trees; nothing when there are none. */
export function JobChain({ children, job }: ChainProps): JSX.Element {
  const chain: Resource<Chain> = useResource(job, {
    read: (signal) => callApi('GET /jobs/{job}/chain', { path: { job }, signal }),
    isAbout: (event) => 'job' in event && (event.job === job || names.has(event.job ?? '')),
  });
  const { followers, upstreams } = chain.data.value ?? none;
  const names = new Set([...upstreams.items, ...followers.items].map((item) => item.job));
  const isKnown = chain.data.value !== null || chain.problem.value !== null;
  return (
    <>
      {names.size + upstreams.left + followers.left > 0 && (
        <Section title={<Word text="Chain" />} class="chain">
          <SideTree title="Started by" job={job} side={upstreams} />
          <SideTree title="Starts" job={job} side={followers} />
        </Section>
      )}
      {isKnown && children}
    </>
  );
}

const none = { upstreams: { items: [], left: 0 }, followers: { items: [], left: 0 } };

function SideTree({ job, side, title }: { job: string; side: Side; title: string }) {
  if (side.items.length + side.left === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Branches job={job} left={side.left} side={side} />
    </>
  );
}

interface BranchesProps {
  /** What they grow from. */
  readonly job: string;
  readonly left: number;
  readonly side: Side;
}

function Branches({ job, left, side }: BranchesProps): JSX.Element | null {
  const items = side.items.filter(({ by }) => by === job);
  if (items.length + left === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li key={item.job}>
          <ChainedLine item={item} isRepeated={!isFirst(item, side) && hasBranches(item, side)} />
          {isFirst(item, side) && <Branches job={item.job} left={item.left} side={side} />}
        </li>
      ))}
      {left > 0 && <li class="quiet">… {formatCount(left)} more</li>}
    </ul>
  );
}

function hasBranches({ job, left }: ChainedJob, { items }: Side): boolean {
  return left > 0 || items.some(({ by }) => by === job);
}

/** A job that is reached on several ways is followed up once. */
function isFirst(item: ChainedJob, { items }: Side): boolean {
  return items.find(({ job }) => job === item.job) === item;
}

interface LineProps {
  readonly item: ChainedJob;
  /** What is behind it is shown where it was reached first. */
  readonly isRepeated: boolean;
}

function ChainedLine({ isRepeated, item }: LineProps): JSX.Element {
  const { job, lastEndedAt, lastResult, lastRunId, on, state } = item;
  return (
    <span class="line">
      <a href={linkTo(['jobs', job])}>{showLine(job)}</a>
      <span class="quiet">{ends[on]}</span>
      {lastRunId === null ? (
        <StatusBadge status="none" />
      ) : (
        <a class="result" href={linkTo(['runs', `${lastRunId}`])}>
          <StatusBadge status={lastResult ?? 'none'} /> <Ago at={lastEndedAt} />
        </a>
      )}
      {state !== 'idle' && <StatusBadge status={state} />}
      {isRepeated && <span class="quiet">(see above)</span>}
    </span>
  );
}

const ends = { success: 'on success', failure: 'on failure', end: 'on any end' } as const;
