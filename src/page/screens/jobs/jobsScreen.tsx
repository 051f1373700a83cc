import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { mutedUntil } from '../../jobs/muted.tsx';
import { NoJobs } from '../../jobs/noJobs.tsx';
import { PauseLines } from '../../jobs/pauseLines.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { firstRows, useWindowedRows } from '../../rows/useWindowedRows.ts';
import { isNarrow } from '../../state/isNarrow.ts';
import { useKeptSignal } from '../../state/kept.ts';
import { place } from '../../state/place.ts';
import { BulkBar } from './bulkBar.tsx';
import { JobFilters, readFilters } from './jobFilters.tsx';
import { jobHeads } from './jobHeads.tsx';
import { JobRows } from './jobRows.tsx';
import { clearSelection } from './selection.ts';
import { useJobPages } from './useJobPages.ts';

const rowPixels = { wide: 24, narrow: 76 };

/** All jobs, however many: only the rows that can be seen are drawn, and read. */
export function JobsScreen(): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const drawn = useKeptSignal('drawn', firstRows);
  const filters = readFilters(place.value.query);
  const key = JSON.stringify(filters);
  const pages = useJobPages(filters, drawn);
  const mutes = useResource('mutes', {
    read: (signal) => callApi('GET /notify/mutes', { signal }),
    isAbout: ({ type }) => type.startsWith('notification.'),
  });
  const cluster = useResource('cluster', {
    read: (signal) => callApi('GET /cluster', { query: { limit: '1' }, signal }),
    everyMs: 20_000,
    isKept: true,
  });
  const muted = mutes.data.value?.items ?? [];
  const onChange = () => {
    for (const read of [pages, mutes, cluster]) read.reload();
  };
  const pauses = cluster.data.value?.pauses;
  // The line of another one that is made meanwhile would push the list down.
  const shown = useMemo(() => pauses?.map(({ reason }) => reason), [key, pauses === undefined]);
  const data = pages.data.value;
  const pixels = isNarrow.value ? rowPixels.narrow : rowPixels.wide;
  useWindowedRows(drawn, { list, rowPixels: pixels, count: data?.jobs.length ?? 0 });
  // What is selected is of the list that is seen.
  useEffect(() => clearSelection, [key]);
  return (
    <div class="screen jobs">
      <JobFilters data={data} />
      <PauseLines
        pauses={pauses?.filter(({ reason }) => shown?.includes(reason)) ?? []}
        onChange={onChange}
      />
      <BulkBar {...{ data, filters, onChange }} />
      <Loaded of={pages} lines={20} above={cluster}>
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
                  {jobHeads()}
                </div>
              </div>
              <div
                ref={list}
                role="rowgroup"
                class="rows"
                style={{ height: `${loaded.jobs.length * pixels}px` }}
              >
                <JobRows
                  data={loaded}
                  {...{ drawn, pixels }}
                  mutedUntil={(job) => mutedUntil(muted, job)}
                />
              </div>
            </div>
          )
        }
      </Loaded>
    </div>
  );
}
