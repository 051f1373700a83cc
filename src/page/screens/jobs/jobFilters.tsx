import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { AddJob } from '../../jobs/addJob.tsx';
import { readConditions, resultChoices, stateChoices } from '../../jobs/jobConditions.ts';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import type { JobPages, JobQuery } from './jobPages.ts';

const sorts = {
  name: 'order: name, A to Z',
  '-name': 'order: name, Z to A',
  '-created': 'order: newest first',
  created: 'order: oldest first',
} as const;

/** What the URL says of which jobs are shown, and in which order, as the API takes it. */
export function readFilters(query: URLSearchParams): JobQuery {
  const sort = query.get('sort') ?? 'name';
  return {
    stats: 'true',
    sort: sort in sorts ? (sort as keyof typeof sorts) : 'name',
    ...readConditions(query),
  };
}

/** The line above the list: search, conditions, order, and how many there are. */
export function JobFilters({ data }: { readonly data: JobPages | null }): JSX.Element {
  return (
    <header class="bar">
      <h1>Jobs</h1>
      <SearchField name="text" label="Search by name" hasWords />
      <Choice name="state" label="State" choices={stateChoices} />
      <Choice name="lastResult" label="Last result" choices={resultChoices} />
      <GroupChoice />
      <Condition name="tag" label="tag" />
      <Condition name="node" label="node" />
      <Condition name="reason" label="reason" />
      <Choice name="sort" label="Order" choices={{ '': sorts.name, ...withoutName }} />
      <p class="count quiet" role="status">
        {data && shownCount(data)}
      </p>
      <AddJob>Add a job</AddJob>
    </header>
  );
}

/** Of the groups that there are; a link may name several. */
function GroupChoice(): JSX.Element | null {
  const groups = useResource('groups', {
    read: (signal) => callApi('GET /job-groups', { signal }),
    everyMs: 60_000,
  });
  const chosen = place.value.query.getAll('group');
  if (chosen.length > 1) return <Condition name="group" label="group" />;
  const names = [...new Set([...(groups.data.value?.items ?? []), ...chosen])];
  if (names.length < 2 && chosen.length === 0) return null;
  const choices = Object.fromEntries(names.map((name) => [name, showLine(name)]));
  return <Choice name="group" label="Group" isOne choices={{ '': 'in any group', ...choices }} />;
}

const { name: _, ...withoutName } = sorts;

function shownCount({ jobs, isWhole }: JobPages): string {
  return isWhole ? countOf(jobs.length, 'job') : `${countOf(jobs.length, 'job')} and more`;
}
