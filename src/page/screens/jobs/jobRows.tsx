import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { whyNotAllowed } from '../../api/session.ts';
import { RowKeys } from '../../rows/rowKeys.ts';
import type { DrawnRows } from '../../rows/useWindowedRows.ts';
import type { ListedJob } from './jobPages.ts';
import { JobRow, rowReasonId } from './jobRow.tsx';

interface RowsProps {
  readonly jobs: readonly ListedJob[];
  /** Which of them are. */
  readonly drawn: ReadonlySignal<DrawnRows>;
  readonly pixels: number;
  isMuted(job: ListedJob): boolean;
}

/** The rows of the jobs that can be seen; a scroll draws these anew, and nothing else. */
export function JobRows({ drawn, isMuted, jobs, pixels }: RowsProps): JSX.Element {
  const { current: rowKeys } = useRef(new RowKeys());
  const rows = drawn.value.places.flatMap((at) => {
    const job = jobs[at];
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
        const props = { job, at, rowKey, top: at * pixels, isMuted: isMuted(job) };
        return <JobRow key={rowKey} {...props} />;
      })}
    </>
  );
}
