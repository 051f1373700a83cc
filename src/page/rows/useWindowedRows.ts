import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { inOrder, nextRows, type RowRange, rowsThatFit } from './nextRows.ts';

/** What is drawn of a long list. */
export interface DrawnRows {
  /** Those that are to be drawn; what is seen, and some beyond it. */
  readonly range: RowRange;
  /** The places of those that are, as they stand in the document. */
  readonly places: readonly number[];
}

/** So many rows are drawn beyond what can be seen, for a scroll that is faster than we are. */
const marginRows = 12;
/** So many rows change in a frame at first: the others do in the next. */
const rowsOfFrame = 5;
const restMs = 100;

const firstRange: RowRange = { first: 0, end: 60 };

/** What is drawn at first. */
export const firstRows: DrawnRows = {
  range: firstRange,
  places: nextRows([], firstRange, firstRange.end),
};

interface LongList {
  readonly list: RefObject<HTMLElement | null>;
  readonly rowPixels: number;
  /** Of its rows; 0: not known yet. */
  readonly count: number;
}

/**
 * Sets which rows of a long list are drawn, as the window is scrolled: all have the same height,
 * and only those that can be seen are.
 */
export function useWindowedRows(drawn: Signal<DrawnRows>, { count, list, rowPixels }: LongList) {
  useEffect(() => {
    if (count === 0) return;
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    let newMax = rowsOfFrame;
    // A message comes when all that the browser does for the frame is done.
    const { port1: sent, port2: come } = new MessageChannel();
    const look = () => {
      frame = 0;
      const beganMs = performance.now();
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const seen = {
        first: Math.max(0, Math.floor(-top / rowPixels)),
        end: Math.min(count, Math.ceil((innerHeight - top) / rowPixels)),
      };
      const before = drawn.value;
      const range = isNear(before.range, seen, count) ? before.range : withMargin(seen, count);
      let places = nextRows(before.places, seen, newMax);
      if (places !== before.places) {
        // A scroll that comes beyond the margin has no use for one until it rests.
        clearTimeout(rest);
        rest = setTimeout(settle, restMs);
      } else if (rest === undefined) {
        places = nextRows(places, range, newMax);
        // To move one takes the time of two that change.
        if (places === before.places) places = inOrder(places, Math.ceil(newMax / 2));
      }
      if (places === before.places && range === before.range) return;
      drawn.value = { range, places };
      sent.postMessage(beganMs);
      soon();
    };
    const settle = () => {
      rest = undefined;
      soon();
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    come.onmessage = ({ data: beganMs }: MessageEvent<number>) => {
      newMax = rowsThatFit(newMax, performance.now() - beganMs);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      come.close();
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [count, drawn, list, rowPixels]);
}

function withMargin({ first, end }: RowRange, count: number): RowRange {
  return { first: Math.max(0, first - marginRows), end: Math.min(count, end + marginRows) };
}

/** Whether enough is drawn beyond what is seen, and not far too much. */
function isNear({ first, end }: RowRange, seen: RowRange, count: number): boolean {
  const least = marginRows / 2;
  const most = marginRows + least;
  const above = seen.first - first;
  const below = end - seen.end;
  const isEnough = (above > least || first === 0) && (below > least || end === count);
  return isEnough && above < most && below < most && end <= count;
}
