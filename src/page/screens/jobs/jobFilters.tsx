import type { JSX } from 'preact';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { Icon } from '../../parts/icons.tsx';
import { linkTo } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import type { JobPages, JobQuery } from './jobPages.ts';

const sorts = {
  name: 'name, A to Z',
  '-name': 'name, Z to A',
  '-created': 'newest first',
  created: 'oldest first',
} as const;

const states = {
  '': 'any state',
  running: 'running',
  waiting: 'waiting',
  idle: 'idle',
  paused: 'paused',
  observed: 'observed',
  cannot_run: 'cannot run',
} as const;
type State = keyof typeof states;

/** What the URL says of which jobs are shown, as the API takes it. */
export function readFilters(query: URLSearchParams): JobQuery {
  const sort = query.get('sort') ?? 'name';
  const state = query.get('state') ?? '';
  const names = ['text', 'group', 'tag', 'node', 'lastResult'];
  const [text, group, tag, node, lastResult] = names.map((name) => query.getAll(name));
  return {
    stats: 'true',
    sort: sort in sorts ? (sort as keyof typeof sorts) : 'name',
    ...(text?.[0] ? { text: text[0] } : {}),
    ...(group?.length ? { group } : {}),
    ...(tag?.length ? { tag } : {}),
    ...(node?.[0] ? { node: node[0] } : {}),
    ...(lastResult?.length ? { lastResult } : {}),
    ...(state in states && state !== '' ? { state: state as Exclude<State, ''> } : {}),
  };
}

/** The line above the list: search, conditions, order, and how many there are. */
export function JobFilters({ data }: { readonly data: JobPages | null }): JSX.Element {
  return (
    <header class="bar">
      <h1>Jobs</h1>
      <SearchField name="text" label="Search by name" />
      <Choice name="state" label="State" choices={states} />
      <Choice name="lastResult" label="Last result" choices={results} />
      <Condition name="group" label="group" />
      <Condition name="tag" label="tag" />
      <Condition name="node" label="node" />
      <Choice name="sort" label="Order" choices={{ '': sorts.name, ...withoutName }} />
      <p class="count quiet" role="status">
        {data && shownCount(data)}
      </p>
      <a class="button main" href={linkTo(['add'])}>
        <Icon name="add" />
        <span>Add a job</span>
      </a>
    </header>
  );
}

const { name: _, ...withoutName } = sorts;

function shownCount({ jobs, isWhole }: JobPages): string {
  return isWhole ? countOf(jobs.length, 'job') : `${countOf(jobs.length, 'job')} and more`;
}

const results = {
  '': 'any last result',
  'failed timed_out lost': 'failing',
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  lost: 'lost',
  stopped: 'stopped',
  not_started: 'not started',
} as const;
