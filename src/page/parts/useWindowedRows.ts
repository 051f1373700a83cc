import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The rows that are drawn, of all that there are: from `first` up to, not including, `end`. */
interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** So many rows are drawn beyond what can be seen, for a scroll that is faster than we are. */
const marginRows = 12;
const restMs = 100;

/**
 * Which rows of a long list can be seen, as the window is scrolled: all have the same height, and
 * only these are drawn.
 */
export function useWindowedRows(
  list: RefObject<HTMLElement | null>,
  rowPixels: number,
): Signal<RowRange> {
  const range = useSignal<RowRange>({ first: 0, end: 60 });
  useEffect(() => {
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      frame = 0;
      clearTimeout(rest);
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const seen = { first: Math.floor(-top / rowPixels), end: (innerHeight - top) / rowPixels };
      const { first: oldFirst, end: oldEnd } = range.value;
      // Of a place that is all new the margin is drawn later: one may be gone from it by then.
      const isNew = seen.first >= oldEnd || seen.end <= oldFirst;
      const margin = isNew ? 0 : marginRows;
      if (isNew) rest = setTimeout(look, restMs);
      const first = Math.max(0, seen.first - margin);
      const end = Math.ceil(seen.end) + margin;
      // Within the margin there is nothing to draw anew.
      const isNear =
        Math.abs(first - oldFirst) < marginRows / 2 && Math.abs(end - oldEnd) < marginRows / 2;
      if (!isNear || (first === 0 && oldFirst !== 0)) range.value = { first, end };
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [list, rowPixels, range]);
  return range;
}
