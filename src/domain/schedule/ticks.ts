import { countInstants } from './countInstants.ts';
import { lastInstant } from './lastInstant.ts';
import { nextInstant } from './nextInstant.ts';
import type { Schedule } from './schedule.ts';
import { zoneOf } from './zone.ts';

/**
 * The first tick strictly later than `afterMs`, in epoch milliseconds (a whole second), or null
 * when there is none any more. For cron fields the set of ticks is fixed by schedule and zone
 * alone, so every node gets the same answer wherever it asks from. Well below 5 µs once the zone
 * is known.
 * @param anchorMs for `@every`: the instant that it counts from, cut to whole seconds; ticks are
 *   anchor + d, anchor + 2d … Without it the first tick is `afterMs` (cut) + d.
 */
export function nextTick(schedule: Schedule, afterMs: number, anchorMs?: number): number | null {
  if (Number.isNaN(afterMs)) throw new TypeError('nextTick after NaN');
  const { plan } = schedule;
  switch (plan.kind) {
    case 'cron': {
      if (afterMs >= lastTickMs) return null;
      const from = Math.max(Math.floor(afterMs / 1000) + 1, 0);
      const tick = nextInstant(schedule, plan, zoneOf(schedule.timezone), from);
      return tick === null || tick * 1000 > lastTickMs ? null : tick * 1000;
    }
    case 'every': {
      if (!Number.isFinite(afterMs)) return null;
      const after = Math.floor(afterMs / 1000);
      const anchor = Math.floor((anchorMs ?? afterMs) / 1000);
      const passed = Math.max(0, Math.floor((after - anchor) / plan.everySeconds));
      return (anchor + (passed + 1) * plan.everySeconds) * 1000;
    }
    case 'at':
      return inMs(plan.atSeconds.find((second) => second * 1000 > afterMs));
    case 'manual':
      return null;
  }
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
 * 1970. Costs the same however long ago it was asked for last: a make-up run after downtime takes
 * this tick, and what lies before it is one range.
 * @param anchorMs for `@every`, as `nextTick` has it; without one there is no past tick.
 */
export function lastTickAtOrBefore(
  schedule: Schedule,
  atMs: number,
  anchorMs?: number,
): number | null {
  if (Number.isNaN(atMs)) throw new TypeError('lastTickAtOrBefore NaN');
  const { plan } = schedule;
  switch (plan.kind) {
    case 'cron': {
      const at = Math.floor(Math.min(atMs, lastTickMs) / 1000);
      const tick = lastInstant(schedule, plan, zoneOf(schedule.timezone), at);
      return tick === null ? null : tick * 1000;
    }
    case 'every': {
      if (anchorMs === undefined) return null;
      const anchor = Math.floor(anchorMs / 1000);
      const passed = Math.floor((Math.floor(atMs / 1000) - anchor) / plan.everySeconds);
      return passed < 1 ? null : (anchor + passed * plan.everySeconds) * 1000;
    }
    case 'at':
      return inMs(plan.atSeconds.findLast((second) => second * 1000 <= atMs));
    case 'manual':
      return null;
  }
}

/** How many ticks there are; not `exact` means at least so many. */
export interface TickCount {
  readonly count: number;
  readonly exact: boolean;
}

/**
 * Counts the ticks in [fromMs, untilMs], up to `max`, without walking them: matching days times the
 * matches of a day, one sum for each stretch between two clock changes. Always exact, unless `max`
 * was reached or the range is longer than 50 years. 30 days of `* * * * * *` take less
 * than 0.1 ms.
 * @param anchorMs for `@every`, as `nextTick` has it; without one it counts nothing.
 */
export function countTicks(
  schedule: Schedule,
  fromMs: number,
  untilMs: number,
  max: number,
  anchorMs?: number,
): TickCount {
  if (Number.isNaN(fromMs) || Number.isNaN(untilMs)) throw new TypeError('countTicks NaN');
  const { plan } = schedule;
  switch (plan.kind) {
    case 'cron': {
      const from = Math.max(0, Math.ceil(fromMs / 1000));
      const until = Math.floor(untilMs / 1000) + 1;
      const bounded = Math.min(until, from + rangeSecondsMax);
      const found = countInstants(schedule, plan, zoneOf(schedule.timezone), from, bounded, max);
      return found > max
        ? { count: max, exact: false }
        : { count: found, exact: bounded === until || until <= from };
    }
    case 'every': {
      if (anchorMs === undefined) return { count: 0, exact: true };
      const anchor = Math.floor(anchorMs / 1000);
      const first = Math.max(1, Math.ceil((Math.ceil(fromMs / 1000) - anchor) / plan.everySeconds));
      const last = Math.floor((Math.floor(untilMs / 1000) - anchor) / plan.everySeconds);
      return capped(Math.max(0, last - first + 1), max);
    }
    case 'at': {
      const { atSeconds } = plan;
      const counted = atSeconds.filter((at) => at * 1000 >= fromMs && at * 1000 <= untilMs);
      return capped(counted.length, max);
    }
    case 'manual':
      return { count: 0, exact: true };
  }
}

const ticksMax = 10_000;

/** The last second that an ISO instant with four digits of the year can tell. */
export const lastTickMs = Date.UTC(9999, 11, 31, 23, 59, 59);

const rangeSecondsMax = 50 * 366 * 86_400;

function inMs(second: number | undefined): number | null {
  return second === undefined ? null : second * 1000;
}

function capped(count: number, max: number): TickCount {
  return count > max ? { count: max, exact: false } : { count, exact: true };
}
