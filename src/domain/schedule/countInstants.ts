import { type PassRule, ticksAfterGap, wallsOfSpan } from './passes.ts';
import { countWalls, type WallTimes, wallAtOrAfter } from './wallTimes.ts';
import type { Zone } from './zone.ts';

/**
 * Counts the ticks in [from, until), in seconds, without walking them: matching days times the
 * matches of a day, one sum for each stretch between two clock changes. Stops once past `max`.
 */
export function countInstants(
  rule: PassRule,
  walls: WallTimes,
  zone: Zone,
  from: number,
  until: number,
  max: number,
): number {
  let count = 0;
  let at = from;
  while (at < until && count <= max) {
    const span = zone.spanAt(at);
    const end = Math.min(span.end, until);
    const { low, high } = wallsOfSpan(rule, span);
    const first = Math.max(at + span.offset, low);
    count += countWalls(walls, first, Math.min(end + span.offset, high));
    if (at === span.start && ticksAfterGap(rule, walls, span)) {
      // The first instant after a gap may match by itself too; it is one tick.
      const wall = span.start + span.offset;
      if (wallAtOrAfter(walls, wall) !== wall) count += 1;
    }
    at = end;
  }
  return count;
}
