import type { PassRule } from './passes.ts';
import { zoneOf } from './zone.ts';

/**
 * Places one wall time in a zone, in seconds: in a gap the first instant after it (null when the
 * rule skips gaps), in an overlap the first pass, or the second when the rule says so.
 */
export function instantOfWall(timezone: string, wall: number, rule: PassRule): number | null {
  const zone = zoneOf(timezone);
  // No offset is larger than 15 hours, so the wall time comes later than this and within two days.
  let span = zone.spanAt(wall - 86_400);
  while (wall >= span.end + span.offset) span = zone.spanAt(span.end);
  if (wall < span.start + span.offset) return rule.gap === 'skip' ? null : span.start;
  if (rule.fold === 'second' && wall >= span.end + span.offsetAfter) return wall - span.offsetAfter;
  return wall - span.offset;
}
