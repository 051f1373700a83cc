import { zoneOf } from './zone.ts';

/** What the clock of a zone shows; in UTC where this machine does not know the zone. */
export function placeInZone(instant: number | string, timezone: string) {
  const atMs = new Date(instant).getTime();
  const seconds = offsetOf(timezone, Math.floor(atMs / 1000));
  const wall = new Date(atMs + seconds * 1000).toISOString();
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const two = (number: number): string => `${number}`.padStart(2, '0');
  const size = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return { wall, offset: `${seconds < 0 ? '-' : '+'}${size}` };
}

function offsetOf(timezone: string, second: number): number {
  try {
    return zoneOf(timezone).spanAt(second).offset;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

/** An instant as the clock of a zone shows it: ISO 8601 with the offset. */
export function isoInZone(instant: number | string, timezone: string): string {
  const { wall, offset } = placeInZone(instant, timezone);
  return `${wall.slice(0, 19)}${offset}`;
}
