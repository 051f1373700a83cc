import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { whyNotAllowed } from '../../api/session.ts';
import { RowKeys } from '../../rows/rowKeys.ts';
import type { DrawnRows } from '../../rows/useWindowedRows.ts';
import type { JobPages, ListedJob } from './jobPages.ts';
import { JobRow, rowReasonId } from './jobRow.tsx';
import { turnSelected } from './selection.ts';

interface RowsProps {
  readonly data: JobPages;
  /** Which of them are. */
  readonly drawn: ReadonlySignal<DrawnRows>;
  readonly pixels: number;
  mutedUntil(job: ListedJob): string | null;
}

/** The rows of the jobs that can be seen; a scroll draws these anew, and nothing else. */
export function JobRows({ data, drawn, mutedUntil, pixels }: RowsProps): JSX.Element {
  const latest = useRef(data);
  latest.current = data;
  // The same function each time: a row is drawn anew when anything that it is given is another.
  const { current: onSelect } = useRef((job: string) => {
    const { isWhole, jobs } = latest.current;
    turnSelected(job, isWhole ? jobs.map((each) => each.job) : null);
  });
  const { current: rowKeys } = useRef(new RowKeys());
  const rows = drawn.value.places.flatMap((at) => {
    const job = data.jobs[at];
    return job === undefined ? [] : [{ at, job }];
  });
  const names = rows.map(({ job }) => job.job);
  const focused = document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key;
  const keys = rowKeys.keysOf(names, focused === undefined ? null : Number(focused));
  return (
    <>
      <p id={rowReasonId} hidden>
        {whyNotAllowed('operator')}
      </p>
      {rows.map(({ at, job }, place) => {
        const rowKey = keys[place] ?? 0;
        const props = { job, at, rowKey, top: at * pixels, onSelect };
        return <JobRow key={rowKey} {...props} mutedUntil={mutedUntil(job)} />;
      })}
    </>
  );
}
