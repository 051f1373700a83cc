import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../parts/icons.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
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

/** How long the reader pauses while typing before the node is asked. */
const typingMs = 200;

/** The line above the list: search, conditions, order, and how many there are. */
export function JobFilters({ data }: { readonly data: JobPages | null }): JSX.Element {
  const { query } = place.value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => changeQuery({ text: text === '' ? undefined : text }),
      typingMs,
    );
  };
  return (
    <header class="bar">
      <h1>Jobs</h1>
      <label class="search">
        <Icon name="search" />
        <span class="unseen">Search by name</span>
        <input
          type="search"
          placeholder="Search by name"
          value={query.get('text') ?? ''}
          onInput={(event) => search(event.currentTarget.value)}
          data-search
        />
        <kbd>/</kbd>
      </label>
      <Choice name="state" label="State" choices={states} />
      <ResultChoice />
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

function ResultChoice(): JSX.Element {
  const chosen = place.value.query.getAll('lastResult').join(' ');
  return (
    <select
      aria-label="Last result"
      class={chosen === '' ? '' : 'set'}
      value={chosen in results ? chosen : ''}
      onChange={({ currentTarget: { value } }) =>
        changeQuery({ lastResult: value === '' ? undefined : value.split(' ') })
      }
    >
      {Object.entries(results).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
}

function Choice({ name, label, choices }: ChoiceProps): JSX.Element {
  const chosen = place.value.query.get(name) ?? '';
  return (
    <select
      aria-label={label}
      class={chosen === '' ? '' : 'set'}
      value={chosen}
      onChange={({ currentTarget: { value } }) =>
        changeQuery({ [name]: value === '' ? undefined : value })
      }
    >
      {Object.entries(choices).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A condition that a click on a row's group or tag sets, and a click here takes away. */
function Condition({ name, label }: { name: string; label: string }): JSX.Element {
  const values = place.value.query.getAll(name);
  return (
    <>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          class="chip set"
          title={`Show jobs of any ${label} again`}
          onClick={() => changeQuery({ [name]: values.filter((each) => each !== value) })}
        >
          {label}: {value} <Icon name="close" />
        </button>
      ))}
    </>
  );
}
