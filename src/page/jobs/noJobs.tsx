import type { JSX } from 'preact';
import { Empty } from '../parts/loaded.tsx';
import { changeQuery } from '../state/place.ts';
import { AddJob } from './addJob.tsx';
import { conditionNames } from './jobConditions.ts';

/** Why a list of jobs is empty, and what to do about it. */
export function NoJobs({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) {
    return (
      <Empty title="No job matches">
        <p>There may be others that do not meet these conditions.</p>
        <button type="button" class="button main" onClick={clearFilters}>
          Show all jobs
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="There is no job yet">
      <p>
        <AddJob>Add the first one</AddJob>
      </p>
      <p>or on the command line of a machine that has statecron:</p>
      <pre>statecron job add hello --cron '* * * * *' --command 'echo hello'</pre>
      <p>or bring your crontab:</p>
      <pre>crontab -l | statecron import - --dry-run</pre>
    </Empty>
  );
}

function clearFilters(): void {
  changeQuery(Object.fromEntries(conditionNames.map((name) => [name, undefined])));
}
