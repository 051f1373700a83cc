import { CombinedInstants } from './combinedInstants.ts';
import { dayTermOf } from './dayTerm.ts';
import type { ScheduleSet } from './scheduleSet.ts';
import { zoneOf } from './zone.ts';

/**
 * What the zone's clock does at a tick. `shifted`: it stands at the end of a gap, for wall times
 * that do not exist; `first pass`, `second pass`: what the clock shows comes twice.
 */
export type TickMark = 'shifted' | 'first pass' | 'second pass';

/**
 * Tells the marks of a set's ticks, in epoch milliseconds; null for most. Those of `@every` have
 * none: they are not told by the clock.
 */
export function tickMarker(set: ScheduleSet): (tickMs: number) => TickMark | null {
  const zone = zoneOf(set.timezone);
  const plans = set.schedules.flatMap(({ plan, gap, fold }) =>
    plan.kind === 'cron' ? [{ term: dayTermOf(plan), gap, fold }] : [],
  );
  const clock = new CombinedInstants({
    zone,
    named: plans,
    everySeconds: [],
    anchor: Number.NEGATIVE_INFINITY,
    excluded: set.excluded,
  });
  const ats = set.schedules.flatMap(({ plan }) => (plan.kind === 'at' ? [plan] : []));
  return (tickMs) => {
    const at = tickMs / 1000;
    if (clock.isShifted(at)) return 'shifted';
    const isNamed = clock.has(at);
    if (!isNamed && ats.some(({ shiftedSeconds }) => shiftedSeconds.includes(at))) return 'shifted';
    if (!isNamed && !ats.some(({ atSeconds }) => atSeconds.includes(at))) return null;
    const { start, end, offset, offsetBefore, offsetAfter } = zone.spanAt(at);
    if (at + offset < start + offsetBefore) return 'second pass';
    return at + offset >= end + offsetAfter ? 'first pass' : null;
  };
}
