import { nearChangeSeconds, type PassRule, ticksAfterGap, wallsOfSpan } from './passes.ts';
import { type WallTimes, wallAtOrBefore } from './wallTimes.ts';
import type { Zone } from './zone.ts';

/** The last tick at or before `until`, in seconds; mirrors `nextInstant`. It stops at 1970. */
export function lastInstant(
  rule: PassRule,
  walls: WallTimes,
  zone: Zone,
  until: number,
): number | null {
  let at = until;
  while (at >= 0) {
    const span = zone.spanAt(at);
    const { low, high } = wallsOfSpan(rule, span);
    const wall = wallAtOrBefore(walls, Math.min(at + span.offset, high - 1));
    if (wall !== null && wall >= low) return notBefore1970(wall - span.offset);
    if (ticksAfterGap(rule, walls, span)) return notBefore1970(span.start);
    const isNear = at - span.start < nearChangeSeconds;
    if (wall === null && !isNear) return null;
    at =
      wall === null || isNear ? span.start - 1 : Math.min(span.start - 1, wall + nearChangeSeconds);
  }
  return null;
}

function notBefore1970(second: number): number | null {
  return second < 0 ? null : second;
}
