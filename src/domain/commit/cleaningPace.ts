import type { CleaningStep } from './historyKeep.ts';

/** How many rows one transaction of cleaning takes: where it begins, and the least and most. */
export interface PaceBounds {
  readonly first: number;
  readonly least: number;
  readonly most: number;
}

/** What a transaction of cleaning came to. */
export interface Taken {
  readonly rows: number;
  /** It left something for the next, because of its number of rows or of their bytes. */
  readonly isMore: boolean;
}

/** A transaction aims at so long: others wait for what it locks, and for the disk, no longer. */
const aimMs = 25;
/** A step begins no further transaction after so long. */
export const stepMsMax = 200;
/** The least time between two steps, and where more comes than goes. */
const pauseMsLeast = 200;
const pauseMsBehind = 50;

/**
 * How many rows the next transaction may take: as many as fit into the time that one aims at, going
 * by the last, at most twice and at least half as many. It grows only while there is more to take.
 */
export function nextSize(
  { least, most }: PaceBounds,
  size: number,
  { rows, isMore, tookMs }: Taken & { readonly tookMs: number },
): number {
  const factor = Math.min(2, Math.max(0.5, aimMs / Math.max(1, tookMs)));
  // Fewer rows than it was allowed though there are more: by their bytes, so many are read in vain.
  const base = isMore ? Math.min(size, rows) : size;
  const next = Math.round(base * (isMore ? factor : Math.min(1, factor)));
  return Math.min(most, Math.max(least, next));
}

/**
 * A pause is as long as the step before it: cleaning has at most half of a connection's time. When
 * it is behind it has four fifths: tables that grow for ever hold up the jobs more.
 */
export function pauseAfter({
  isBehind,
  tookMs,
}: Pick<CleaningStep, 'isBehind' | 'tookMs'>): number {
  if (isBehind) return Math.max(pauseMsBehind, Math.ceil(tookMs / 4));
  return Math.max(pauseMsLeast, Math.ceil(tookMs));
}

/** The first rows, in order, that have no more bytes together than that; at least one. */
export function withinBytes<T extends { readonly bytes: number }>(
  rows: readonly T[],
  bytesMax: number,
): readonly T[] {
  let sum = 0;
  const end = rows.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > bytesMax;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}
