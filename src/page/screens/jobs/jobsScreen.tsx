import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { NoJobs } from '../../jobs/noJobs.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useWindowedRows } from '../../parts/useWindowedRows.ts';
import { isNarrow } from '../../state/isNarrow.ts';
import { place } from '../../state/place.ts';
import { BulkBar } from './bulkBar.tsx';
import { JobFilters, readFilters } from './jobFilters.tsx';
import { type JobPages, type ListedJob, readJobPages, wantsMore } from './jobPages.ts';
import { JobRow, jobRowHeads } from './jobRow.tsx';
import { clearSelection } from './selection.ts';

const rowPixels = { wide: 24, narrow: 76 };

/** All jobs, however many: only the rows that can be seen are drawn, and read. */
export function JobsScreen(): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const pixels = isNarrow.value ? rowPixels.narrow : rowPixels.wide;
  const range = useWindowedRows(list, pixels);
  const filters = readFilters(place.value.query);
  const key = JSON.stringify(filters);
  const pages = useResource<JobPages>(key, {
    read: (signal, before) => readJobPages(filters, before, range.peek(), signal),
    isAbout: ({ type }) => type !== 'slot.changed' && type.startsWith('run.'),
    everyMs: 10_000,
  });
  const mutes = useResource('mutes', {
    read: (signal) => callApi('GET /notify/mutes', { signal }),
    isAbout: ({ type }) => type.startsWith('notification.'),
  });
  const muted = mutes.data.value?.items ?? [];
  const isMuted = ({ group, job }: ListedJob) =>
    muted.some(({ kind, name }) => name === { job, group, target: null }[kind]);
  const { end } = range.value;
  const data = pages.data.value;
  useEffect(() => {
    if (data !== null && wantsMore(data, end)) pages.reload();
  }, [data, end, pages]);
  // What is selected is of the list that is seen.
  useEffect(() => clearSelection, [key]);
  return (
    <div class="screen jobs">
      <JobFilters data={data} />
      <BulkBar
        {...{ data, filters }}
        onChange={() => {
          pages.reload();
          mutes.reload();
        }}
      />
      <Loaded of={pages} lines={20}>
        {(loaded) =>
          loaded.jobs.length === 0 ? (
            <NoJobs isFiltered={Object.keys(filters).length > 2} />
          ) : (
            <div
              class="table"
              role="table"
              aria-label="Jobs"
              aria-rowcount={loaded.isWhole ? loaded.jobs.length + 1 : -1}
            >
              <div role="rowgroup" class="heads">
                <div role="row" class="row head">
                  {jobRowHeads()}
                </div>
              </div>
              <div
                ref={list}
                role="rowgroup"
                class="rows"
                style={{ height: `${loaded.jobs.length * pixels}px` }}
              >
                {loaded.jobs.slice(range.value.first, end).map((job, place) => {
                  const at = range.value.first + place;
                  const drawn = { job, at, top: at * pixels, isMuted: isMuted(job) };
                  return <JobRow key={job.job} {...drawn} />;
                })}
              </div>
            </div>
          )
        }
      </Loaded>
    </div>
  );
}
