import { parseDay, parseInstant } from '../time/parseInstant.ts';
import { placeInZone } from './placeInZone.ts';
import { type ClockChangeRule, instantOfWall, zoneOf } from './zone.ts';

/**
 * An instant as people write it, as epoch milliseconds, or null. What `parseInstant` reads has its
 * offset; a date, which is its begin, and a local time are what the clock of the zone shows: `T` or
 * a blank stands between them; of a time that it shows twice the first. In UTC where this machine
 * does not know the zone.
 */
export function parseInstantIn(text: string, timezone: string): number | null {
  return parseInstant(text) ?? parseWall(text, timezone);
}

/**
 * The next or the last instant at which the clock of the zone shows a time of day (`20:00`), as
 * epoch milliseconds, or null. On a day whose clock jumps over it, that is right after the jump.
 */
export function parseTimeOfDay(
  text: string,
  timezone: string,
  which: 'next' | 'last',
  nowMs: number,
): number | null {
  const todayMs = Date.parse(placeInZone(nowMs, timezone).wall.slice(0, 10));
  const instants = [-1, 0, 1].flatMap((days) => {
    const day = new Date(todayMs + days * 86_400_000).toISOString().slice(0, 10);
    const passes = ['first', 'second'] as const;
    return passes.flatMap((fold) => parseWall(`${day}T${text}`, timezone, fold) ?? []);
  });
  const found =
    which === 'next'
      ? instants.find((instantMs) => instantMs > nowMs)
      : instants.findLast((instantMs) => instantMs <= nowMs);
  return found ?? null;
}

function parseWall(
  text: string,
  timezone: string,
  fold: ClockChangeRule['fold'] = 'first',
): number | null {
  const [, date = '', time = '00:00'] = shape.exec(text) ?? [];
  const wallMs = parseDay(date) === null ? Number.NaN : Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wallMs)) return null;
  try {
    // What the clock jumps over is right after the jump.
    const second = instantOfWall(zoneOf(timezone), wallMs / 1000, { gap: 'shift', fold });
    return second === null ? wallMs : second * 1000;
  } catch (error) {
    if (error instanceof RangeError) return wallMs;
    throw error;
  }
}

const shape = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;

/** That a text is none of these, nor what else it may be. */
export function whyNoInstant(text: string, ...others: readonly string[]): string {
  const forms = ['an instant as 2030-01-31T09:30:00Z or +01:00', 'a date as 2030-01-31'];
  const all = [...forms, 'a local time as 2030-01-31T09:30', ...others];
  return `${JSON.stringify(text)} is neither ${all.slice(0, -1).join(', ')} nor ${all.at(-1)}`;
}
