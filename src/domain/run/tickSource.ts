import type { Reason } from '../reasons/reasons.ts';

/** The part of a schedule that a claim needs; `src/domain/schedule` has the whole. */
export interface TickSource {
  /** The first tick strictly after the instant, or null. */
  next(afterMs: number): number | null;
  /** The last tick at or before the instant, or null. */
  lastAtOrBefore(atMs: number): number | null;
  /** How many ticks stand in [fromMs, untilMs], both included; bounded cost whatever the number. */
  count(fromMs: number, untilMs: number): number;
}

export const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

/** A tick, or a run of ticks, that ends without a launch: one history row. */
export interface TickRange {
  result: 'skipped' | 'missed';
  fromMs: number;
  untilMs: number;
  ticks: number;
  reason: Reason;
}

/** The ticks in [fromMs, untilMs], of which the first is what the cursor stood on. */
export function makeTickRange(
  result: TickRange['result'],
  ticks: TickSource,
  fromMs: number,
  untilMs: number,
  reason: Reason,
): TickRange {
  const named = ticks.count(fromMs, untilMs);
  // The cursor may stand on a kept tick of an older revision, which the schedule no longer names.
  const kept = ticks.lastAtOrBefore(fromMs) === fromMs ? 0 : 1;
  return { result, fromMs, untilMs, ticks: named + kept, reason };
}

/** The last tick at or before the instant, which is no earlier than the cursor. */
export function lastTickFrom(ticks: TickSource, cursorMs: number, atMs: number): number {
  return Math.max(cursorMs, ticks.lastAtOrBefore(atMs) ?? cursorMs);
}

/** The first so many ticks strictly after an instant, ascending; fewer when no more will come. */
export function firstTicks(source: TickSource, afterMs: number, ticksMax: number): number[] {
  return firstTicksUntil(source, afterMs, { untilMs: Number.POSITIVE_INFINITY, ticksMax });
}

/** The same, and none after `untilMs`. */
export function firstTicksUntil(
  source: TickSource,
  afterMs: number,
  { untilMs, ticksMax }: { readonly untilMs: number; readonly ticksMax: number },
): number[] {
  const ticks: number[] = [];
  for (let fromMs = afterMs; ticks.length < ticksMax; ) {
    const tickMs = source.next(fromMs);
    if (tickMs === null || tickMs > untilMs) break;
    ticks.push(tickMs);
    fromMs = tickMs;
  }
  return ticks;
}
