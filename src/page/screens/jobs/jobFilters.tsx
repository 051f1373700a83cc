import type { JSX } from 'preact';
import { readConditions, resultChoices, stateChoices } from '../../jobs/jobConditions.ts';
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
      <SearchField name="text" label="Search by name" />
      <Choice name="state" label="State" choices={stateChoices} />
      <Choice name="lastResult" label="Last result" choices={resultChoices} />
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
