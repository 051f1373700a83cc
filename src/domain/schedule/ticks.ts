import { searchYearsMax } from './calendar.ts';
import { nothingExcluded } from './combinedInstants.ts';
import type { Schedule } from './schedule.ts';
import { unitedTicks } from './setTicks.ts';

/**
 * The first tick strictly later than `afterMs`, in epoch milliseconds (a whole second), or null
 * when there is none any more. For cron fields the set of ticks is fixed by schedule and zone
 * alone, so every node finds the same, from whichever instant. Well below 5 µs once the zone is
 * known.
 * @param anchorMs for `@every`: the instant that it counts from, cut to whole seconds; ticks are
 *   anchor + d, anchor + 2d … Without it the first tick is `afterMs` (cut) + d.
 */
export function nextTick(schedule: Schedule, afterMs: number, anchorMs?: number): number | null {
  if (schedule.kind === 'every' && afterMs === Number.NEGATIVE_INFINITY) return null;
  return ticksOf(schedule, anchorMs ?? afterMs).next(afterMs);
}

/** The next `count` ticks (at most 10,000), fewer when the schedule ends before. */
export function nextTicks(
  schedule: Schedule,
  afterMs: number,
  count: number,
  anchorMs: number = afterMs,
): number[] {
  const ticks: number[] = [];
  let after = afterMs;
  while (ticks.length < Math.min(count, ticksMax)) {
    const tick = nextTick(schedule, after, anchorMs);
    if (tick === null) break;
    ticks.push(tick);
    after = tick;
  }
  return ticks;
}

/**
 * The latest tick at or before `atMs`, in epoch milliseconds, or null when there was none since
 * 1970. Costs the same however long ago that is: a make-up run after downtime takes
 * this tick, and what lies before it is one range.
 * @param anchorMs for `@every`, as `nextTick` has it; without one there is no past tick.
 */
export function lastTickAtOrBefore(
  schedule: Schedule,
  atMs: number,
  anchorMs?: number,
): number | null {
  const ticks = ticksOf(schedule, anchorMs ?? Number.POSITIVE_INFINITY);
  return ticks.last(Number.NEGATIVE_INFINITY, atMs);
}

/** How many ticks there are; not `exact` means at least so many. */
export interface TickCount {
  readonly count: number;
  readonly exact: boolean;
}

/**
 * Counts the ticks in [fromMs, untilMs], up to `max`, without walking them: matching days times the
 * matches of a day, one sum for each stretch between two clock changes. Always exact, unless `max`
 * was reached or the range of cron fields is longer than 50 years. 30 days of `* * * * * *` take
 * less than 0.1 ms.
 * @param anchorMs for `@every`, as `nextTick` has it; without one it counts nothing.
 */
export function countTicks(
  schedule: Schedule,
  fromMs: number,
  untilMs: number,
  max: number,
  anchorMs?: number,
): TickCount {
  const longest = Math.max(0, fromMs) + searchYearsMax * 366 * 86_400_000;
  const bounded = schedule.kind === 'cron' ? Math.min(untilMs, longest) : untilMs;
  const ticks = ticksOf(schedule, anchorMs ?? Number.POSITIVE_INFINITY);
  const count = ticks.count(fromMs, bounded);
  if (count > max) return { count: max, exact: false };
  return { count, exact: bounded === untilMs };
}

function ticksOf(schedule: Schedule, anchorMs: number) {
  const { timezone } = schedule;
  return unitedTicks({ timezone, schedules: [schedule], excluded: nothingExcluded }, anchorMs);
}

const ticksMax = 10_000;
