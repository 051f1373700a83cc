import { searchYearsMax } from './calendar.ts';
import { nearChangeSeconds, type PassRule, ticksAfterGap, wallsOfSpan } from './passes.ts';
import { type WallTimes, wallAtOrAfter } from './wallTimes.ts';
import type { Zone } from './zone.ts';

/** The first tick at or after `from`, in seconds. Bounded: it gives up 50 years on. */
export function nextInstant(
  rule: PassRule,
  walls: WallTimes,
  zone: Zone,
  from: number,
): number | null {
  const { years } = walls.calendar;
  const horizon = from + (years === null ? searchYearsMax : 130) * 366 * 86_400;
  let at = from;
  while (at < horizon) {
    const span = zone.spanAt(at);
    if (at === span.start && ticksAfterGap(rule, walls, span)) return at;
    const { low, high } = wallsOfSpan(rule, span);
    const wall = wallAtOrAfter(walls, Math.max(at + span.offset, low));
    if (wall !== null && wall < high) return wall - span.offset;
    const isNear = span.end - at <= nearChangeSeconds;
    if (wall === null && !isNear) return null;
    at = wall === null || isNear ? span.end : Math.max(span.end, wall - nearChangeSeconds);
  }
  return null;
}
