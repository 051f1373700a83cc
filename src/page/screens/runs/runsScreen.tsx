import type { JSX } from 'preact';
import { type Answer, type CallInput, callApi } from '../../api/callApi.ts';
import { readRows } from '../../api/readPages.ts';
import { useGrowing } from '../../api/useGrowing.ts';
import { jobNamesLike, NamesLike } from '../../jobs/namesLike.tsx';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Zoned } from '../../parts/timeText.tsx';
import { RunTable } from '../../runs/runTable.tsx';
import { changeQuery, place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';

type RunPage = Answer<'GET /runs'>;
type RunQuery = NonNullable<CallInput<'GET /runs'>['query']>;

const pageRows = 100;
const page = { limit: `${pageRows}`, lastLine: 'true' } as const;

const results = {
  '': 'ended, any result',
  running: 'running now',
  'failed timed_out lost': 'failed, timed out or lost',
  'skipped missed': 'did not start',
  succeeded: 'succeeded',
  stopped: 'stopped',
} as const;
const windows = {
  ...{ '': 'of any time', '1h': 'of the last hour', '12h': 'of the last 12 hours' },
  ...{ '1d': 'of the last day', '7d': 'of 7 days' },
};

/** Runs of all jobs, those that ended last first. */
export function RunsScreen(): JSX.Element {
  const conditions = readConditions(place.value.query);
  const runs = useGrowing<RunPage>(JSON.stringify(conditions), {
    read: (signal, pages) =>
      readRows<RunPage>(pages * pageRows, (after) =>
        callApi('GET /runs', { query: { ...conditions, ...page, after }, signal }),
      ),
    isAbout: ({ type }) => type.startsWith('run.'),
  });
  return (
    <div class="screen">
      <header class="bar">
        <h1>
          <Zoned title="Runs" />
        </h1>
        <SearchField name="job" label="Job, by its whole name" isWhole find={jobNamesLike} />
        <Choice name="result" label="Result" choices={results} />
        <Choice name="since" label="When they ended" choices={windows} />
        <Condition name="group" label="group" />
        <Condition name="node" label="node" />
        <p class="count quiet" role="status">
          {runs.data.value && countText(runs.data.value)}
        </p>
      </header>
      <Loaded of={runs} lines={20}>
        {({ items, next }) => (
          <>
            {items.length > 0 && <RunTable runs={items} hasJobs />}
            {items.length === 0 && next === null && <NoRuns conditions={conditions} />}
            {items.length === 0 && next !== null && (
              <p class="quiet">None of the runs that were looked at matches; older ones may.</p>
            )}
            {next !== null && (
              <button type="button" class="button plain after" onClick={runs.more}>
                Show older runs
              </button>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function countText({ items, next }: RunPage): string {
  return `${countOf(items.length, 'run')}${next === null ? '' : ' and more'}`;
}

function readConditions(query: URLSearchParams): RunQuery {
  const [job, node, since] = ['job', 'node', 'since'].map((name) => query.get(name) || undefined);
  const [group, result] = [query.getAll('group'), query.getAll('result')];
  if (result.includes('running')) return { running: 'true', job, node, group };
  return { job, node, since, group, result };
}

function NoRuns({ conditions }: { readonly conditions: RunQuery }): JSX.Element {
  const names = ['job', 'node', 'since', 'group', 'result'] as const;
  const isFiltered = Object.values(conditions).flat().some(Boolean);
  if (!isFiltered) return <Empty title="No run has ended yet" />;
  return (
    <Empty title="No run matches">
      {conditions.job && <NamesLike name={conditions.job} parameter="job" />}
      <button
        type="button"
        class="button main"
        onClick={() => changeQuery(Object.fromEntries(names.map((name) => [name, undefined])))}
      >
        Show all runs
      </button>
    </Empty>
  );
}
