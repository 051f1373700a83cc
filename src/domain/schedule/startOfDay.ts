import { parseDay } from '../time/parseInstant.ts';
import { instantOfWall, zoneOf } from './zone.ts';

/**
 * When an ISO date begins in a zone, as epoch milliseconds; null: the text is no date. In UTC where
 * this machine does not know the zone.
 */
export function startOfDay(text: string, timezone: string): number | null {
  const day = parseDay(text);
  if (day === null) return null;
  const wall = day * 86_400;
  try {
    // Where the clock jumps over midnight, right after the jump.
    const second = instantOfWall(zoneOf(timezone), wall, { gap: 'shift', fold: 'first' });
    return (second ?? wall) * 1000;
  } catch (error) {
    if (error instanceof RangeError) return wall * 1000;
    throw error;
  }
}
