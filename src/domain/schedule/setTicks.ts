import type { TickSource } from '../run/tickSource.ts';
import { CombinedInstants, everySecond, type NamedTerm } from './combinedInstants.ts';
import { timesOfEvery } from './dayTimes.ts';
import { EveryInstants } from './everyInstants.ts';
import type { Schedule, ScheduleSet } from './schedule.ts';
import { zoneOf } from './zone.ts';

/**
 * The ticks of a set of schedules at and after `fromMs`, which is also what `@every` counts from:
 * those of all schedules together, each instant once, within the window and less what is excluded.
 * Nothing is found by walking the ticks: it takes microseconds for most sets; counting a
 * month of seconds less a few exclusions takes less than a millisecond.
 */
export function ticksOfSet(set: ScheduleSet, fromMs: number): TickSource {
  const lowMs = Math.max(fromMs, set.notBeforeMs);
  const highMs = set.notAfterMs;
  const ticks = unitedTicks(set, fromMs);
  return {
    next: (afterMs) => {
      const tickMs = ticks.next(Math.max(afterMs, lowMs - 1));
      return tickMs === null || tickMs > highMs ? null : tickMs;
    },
    lastAtOrBefore: (atMs) => ticks.last(lowMs, Math.min(atMs, highMs)),
    count: (wantedFromMs, wantedUntilMs) => {
      const untilMs = Math.min(wantedUntilMs, highMs);
      return Math.min(ticksMax, ticks.count(Math.max(wantedFromMs, lowMs), untilMs));
    },
  };
}

type Schedules = Pick<ScheduleSet, 'schedules' | 'timezone' | 'excluded'>;

/**
 * The ticks of schedules of one zone, in epoch milliseconds, less what is excluded and without a
 * window; both ends of a range are included.
 * @throws {TypeError} of each function, for NaN
 */
export function unitedTicks(set: Schedules, anchorMs: number) {
  const { combined, ats, everies } = instantsOf(set, Math.floor(anchorMs / 1000));
  return {
    next: (afterMs: number): number | null => {
      if (Number.isNaN(afterMs)) throw new TypeError('next tick after NaN');
      if (afterMs >= lastTickMs) return null;
      const from = Math.floor(afterMs / 1000) + 1;
      let found = combined?.next(Math.max(0, from)) ?? Number.POSITIVE_INFINITY;
      for (const every of everies) found = Math.min(found, every.next(from) ?? found);
      found = Math.min(found, ats.find((at) => at >= from) ?? found);
      return found * 1000 > lastTickMs ? null : found * 1000;
    },
    last: (fromMs: number, untilMs: number): number | null => {
      if (Number.isNaN(untilMs)) throw new TypeError('last tick at NaN');
      const from = Math.ceil(fromMs / 1000);
      const until = Math.floor(Math.min(untilMs, lastTickMs) / 1000);
      let found = combined?.last(Math.max(0, from), until) ?? Number.NEGATIVE_INFINITY;
      for (const every of everies) found = Math.max(found, every.last(from, until) ?? found);
      found = Math.max(found, ats.findLast((at) => at >= from && at <= until) ?? found);
      return Number.isFinite(found) ? found * 1000 : null;
    },
    count: (fromMs: number, untilMs: number): number => {
      if (Number.isNaN(fromMs) || Number.isNaN(untilMs)) throw new TypeError('ticks until NaN');
      const from = Math.ceil(fromMs / 1000);
      const until = Math.floor(Math.min(untilMs, lastTickMs) / 1000) + 1;
      const isNamed = (at: number): boolean => combined?.has(at) ?? false;
      const named = combined?.count(Math.max(0, from), until) ?? 0;
      let count = named + ats.filter((at) => at >= from && at < until && !isNamed(at)).length;
      for (const [place, every] of everies.entries()) {
        const before = everies.slice(0, place);
        const isCounted = (at: number): boolean =>
          isNamed(at) || ats.includes(at) || before.some((other) => other.has(at));
        count += every.count(from, until, set.schedules.length === 1 ? null : isCounted);
      }
      return count;
    },
  };
}

/**
 * The parts of a set, each in epoch seconds and less what is excluded: what follows the clock
 * (null: nothing does), all instants of `@at`, rising, and each `@every` that is arithmetic.
 */
function instantsOf({ schedules, timezone, excluded }: Schedules, anchor: number) {
  const isLess = isAnyExcluded(excluded);
  const isMixed = isLess || schedules.length > 1;
  const only = schedules[0]?.plan;
  if (!isMixed && only?.kind === 'cron') return { combined: only.instants, ats: [], everies: [] };
  const plans = schedules.map(({ plan }) => plan);
  const atSeconds = new Set(plans.flatMap((plan) => (plan.kind === 'at' ? plan.atSeconds : [])));
  const everySeconds = new Set(
    plans.flatMap((plan) => (plan.kind === 'every' ? [plan.everySeconds] : [])),
  );
  const isDaily = (every: number): boolean => isMixed && timesOfEvery(every, 0) !== null;
  const zone = zoneOf(timezone);
  const always = { term: everySecond, gap: 'skip', fold: 'both' } as const;
  const allowed = isLess ? new CombinedInstants({ zone, named: [always], excluded }) : null;
  const named = namedTerms(schedules);
  const daily = [...everySeconds].filter(isDaily);
  const isAnyNamed = named.length + daily.length > 0;
  return {
    combined: isAnyNamed
      ? new CombinedInstants({ zone, named, excluded, everySeconds: daily, anchor })
      : null,
    ats: [...atSeconds].filter((at) => allowed?.has(at) ?? true).sort((a, b) => a - b),
    everies: [...everySeconds]
      .filter((every) => !isDaily(every))
      .map((every) => new EveryInstants(every, anchor, allowed)),
  };
}

export function isAnyExcluded({ days, terms }: ScheduleSet['excluded']): boolean {
  return days.length + terms.length > 0;
}

/** The cron fields of schedules. */
export function namedTerms(schedules: readonly Schedule[]): NamedTerm[] {
  return schedules.flatMap(({ plan, gap, fold }) =>
    plan.kind === 'cron' ? [{ term: plan.term, gap, fold }] : [],
  );
}

/** The last second of an ISO instant with four digits of the year. */
const lastTickMs = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The column that counts a range's ticks is an unsigned INT. */
const ticksMax = 4_294_967_295;
