import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from '../../api/useResource.ts';
import type { DrawnRows } from '../../rows/useWindowedRows.ts';
import { type JobPages, type JobQuery, readJobPages, readMore, wantsMore } from './jobPages.ts';

/** The list of jobs, as far as the reader has come; what can be seen of it is read again. */
export function useJobPages(
  filters: JobQuery,
  drawn: ReadonlySignal<DrawnRows>,
): Resource<JobPages> {
  /** What is there already is not read anew while the reader only scrolls on. */
  const isOnlyMore = useRef(false);
  /** The request for more rows that is in flight: further scrolling does not restart it. */
  const more = useRef<AbortSignal | null>(null);
  const pages = useResource<JobPages>(JSON.stringify(filters), {
    read: async (signal, before) => {
      const { range } = drawn.peek();
      const isMore = isOnlyMore.current;
      isOnlyMore.current = false;
      if (!isMore || before === null) return readJobPages(filters, before, range, signal);
      more.current = signal;
      try {
        return await readMore(filters, before, range, signal);
      } finally {
        if (more.current === signal) more.current = null;
      }
    },
    isAbout: ({ type }) => type !== 'slot.changed' && type.startsWith('run.'),
    everyMs: 10_000,
    isKept: true,
  });
  useEffect(() => {
    const reload = () => {
      if (more.current?.aborted === false) return;
      isOnlyMore.current = true;
      pages.reload();
    };
    return effect(() => {
      const { end } = drawn.value.range;
      if (pages.data.value !== null && wantsMore(pages.data.value, end)) untracked(reload);
    });
  }, [drawn, pages]);
  return pages;
}
