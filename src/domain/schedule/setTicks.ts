import type { TickSource } from '../tickSource.ts';
import { searchYearsMax } from './calendar.ts';
import { CombinedInstants, type NamedTerm } from './combinedInstants.ts';
import { dayTermOf, dayTermOfEvery, everySecond } from './dayTerm.ts';
import { EveryInstants } from './everyInstants.ts';
import type { ScheduleSet } from './scheduleSet.ts';
import { countTicks, lastTickAtOrBefore, lastTickMs, nextTick } from './ticks.ts';
import { zoneOf } from './zone.ts';

/**
 * The ticks of a set of schedules at and after `fromMs`, which is also what `@every` counts from:
 * those of all schedules together, each instant once, within the window and less what is excluded.
 * Every question is answered without walking the ticks, in microseconds for most sets; counting a
 * month of seconds less a few exclusions takes less than a millisecond.
 */
export function ticksOfSet(set: ScheduleSet, fromMs: number): TickSource {
  const lowMs = Math.max(fromMs, set.notBeforeMs);
  const highMs = set.notAfterMs;
  const source = sourceOf(set, fromMs);
  return {
    next: (afterMs) => {
      const tickMs = source.next(Math.max(afterMs, lowMs - 1));
      return tickMs === null || tickMs > highMs ? null : tickMs;
    },
    lastAtOrBefore: (atMs) => {
      const untilMs = Math.min(atMs, highMs);
      if (untilMs < lowMs) return null;
      const tickMs = source.last(lowMs, untilMs);
      return tickMs === null || tickMs < lowMs ? null : tickMs;
    },
    count: (askedFromMs, askedUntilMs) => {
      const untilMs = Math.min(askedUntilMs, highMs, lastTickMs);
      let count = 0;
      for (let atMs = Math.max(askedFromMs, lowMs); atMs <= untilMs; atMs += countedMs) {
        count += source.count(atMs, Math.min(untilMs, atMs + countedMs - 1));
        if (count >= ticksMax) return ticksMax;
      }
      return count;
    },
  };
}

/** Questions within a window, in milliseconds. */
interface BoundedSource {
  readonly next: (afterMs: number) => number | null;
  readonly last: (fromMs: number, untilMs: number) => number | null;
  readonly count: (fromMs: number, untilMs: number) => number;
}

function sourceOf(set: ScheduleSet, anchorMs: number): BoundedSource {
  const [schedule, ...more] = set.schedules;
  const { days, terms } = set.excluded;
  if (schedule === undefined) throw new Error('a set without a schedule');
  if (more.length > 0 || days.length > 0 || terms.length > 0) return combinedSource(set, anchorMs);
  return {
    next: (afterMs) => nextTick(schedule, afterMs, anchorMs),
    last: (_, untilMs) => lastTickAtOrBefore(schedule, untilMs, anchorMs),
    count: (fromMs, untilMs) => countTicks(schedule, fromMs, untilMs, ticksMax, anchorMs).count,
  };
}

function combinedSource(set: ScheduleSet, anchorMs: number): BoundedSource {
  const { combined, ats, everies } = instantsOf(set, Math.floor(anchorMs / 1000));
  return {
    next: (afterMs) => {
      if (Number.isNaN(afterMs)) throw new TypeError('next after NaN');
      if (afterMs >= lastTickMs) return null;
      const from = Math.floor(afterMs / 1000) + 1;
      const first = ats.find((at) => at >= from) ?? null;
      const nexts = [combined.next(from), first, ...everies.map((every) => every.next(from))];
      const tickMs = inMs(nexts, -1);
      return tickMs !== null && tickMs > lastTickMs ? null : tickMs;
    },
    last: (fromMs, untilMs) => {
      const from = Math.max(0, Math.ceil(fromMs / 1000));
      const until = Math.floor(Math.min(untilMs, lastTickMs) / 1000);
      const last = ats.findLast((at) => at >= from && at <= until) ?? null;
      const others = everies.map((every) => every.last(from, until));
      return inMs([combined.last(from, until), last, ...others], 1);
    },
    count: (fromMs, untilMs) => {
      const from = Math.max(0, Math.ceil(fromMs / 1000));
      const until = Math.floor(untilMs / 1000) + 1;
      const isOne = (at: number): boolean => at >= from && at < until && !combined.has(at);
      let count = combined.count(from, until) + ats.filter(isOne).length;
      const isAlone = set.schedules.length === 1;
      for (const [place, every] of everies.entries()) {
        const before = everies.slice(0, place);
        const isTold = (at: number): boolean =>
          combined.has(at) || ats.includes(at) || before.some((other) => other.has(at));
        count += every.count(from, until, isAlone ? null : isTold);
      }
      return count;
    },
  };
}

/** The parts of a set, each in epoch seconds and less what is excluded. */
interface SetInstants {
  readonly combined: CombinedInstants;
  /** Of all `@at`, rising, each once. */
  readonly ats: readonly number[];
  readonly everies: readonly EveryInstants[];
}

function instantsOf(set: ScheduleSet, anchor: number): SetInstants {
  const { schedules, timezone, excluded } = set;
  const named: NamedTerm[] = [];
  const atSeconds = new Set<number>();
  const everySeconds = new Set<number>();
  for (const { plan, gap, fold } of schedules) {
    if (plan.kind === 'cron') named.push({ term: dayTermOf(plan), gap, fold });
    if (plan.kind === 'every') everySeconds.add(plan.everySeconds);
    if (plan.kind === 'at') for (const at of plan.atSeconds) atSeconds.add(at);
  }
  const zone = zoneOf(timezone);
  const isDaily = (every: number): boolean => dayTermOfEvery(every, 0) !== null;
  const daily = [...everySeconds].filter(isDaily);
  const combined = new CombinedInstants({ zone, named, everySeconds: daily, anchor, excluded });
  const isAnyExcluded = excluded.days.length + excluded.terms.length > 0;
  const always = { term: everySecond, gap: 'skip', fold: 'both' } as const;
  const allowed = isAnyExcluded
    ? new CombinedInstants({ zone, named: [always], everySeconds: [], anchor: 0, excluded })
    : null;
  const everies = [...everySeconds]
    .filter((every) => !isDaily(every))
    .map((every) => new EveryInstants(every, anchor, allowed));
  const ats = [...atSeconds]
    .filter((at) => allowed === null || allowed.has(at))
    .sort((one, other) => one - other);
  return { combined, ats, everies };
}

/** The first (sign -1) or the last (1) of some instants in seconds, in milliseconds. */
function inMs(seconds: readonly (number | null)[], sign: 1 | -1): number | null {
  let found: number | null = null;
  for (const second of seconds) {
    if (second !== null && (found === null || (second - found) * sign > 0)) found = second;
  }
  return found === null ? null : found * 1000;
}

/** The column that counts a range's ticks is an unsigned INT. */
const ticksMax = 4_294_967_295;

/** `countTicks` counts so far at once. */
const countedMs = searchYearsMax * 365 * 86_400_000;
