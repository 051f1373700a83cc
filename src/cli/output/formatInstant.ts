import { placeInZone } from '../../domain/schedule/placeInZone.ts';

/** Epoch milliseconds, an ISO instant as the API has it, or null for none. */
export type Instant = number | string | null;

/**
 * An instant for people, as `2030-01-31 09:30:00 +01:00`: the date, the time in whole seconds and
 * the offset, always all three. What belongs to a job is shown in the job's time zone, all else
 * in the zone of the terminal (TZ). None is `-`. JSON has instants in UTC and never comes here.
 */
export function formatInstant(instant: Instant, timezone = localTimezone()): string {
  if (instant === null) return '-';
  const { wall, offset } = placeInZone(instant, timezone);
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)} ${offset}`;
}

/** The same with milliseconds, where a difference of two is of interest. */
export function formatExactInstant(instant: Instant, timezone?: string): string | null {
  if (instant === null) return null;
  const { wall, offset } = placeInZone(instant, timezone ?? localTimezone());
  return `${wall.slice(0, 10)} ${wall.slice(11, 23)} ${offset}`;
}

/** How far away an instant is: `in 3 min`, `2 h ago`, `just now`. */
export function formatAway(instant: number | string, nowMs: number = Date.now()): string {
  const awayMs = new Date(instant).getTime() - nowMs;
  const seconds = Math.abs(awayMs) / 1000;
  if (awayMs <= 0 && seconds < 1) return 'just now';
  const length = lengthText(Math.max(seconds, 1));
  return awayMs > 0 ? `in ${length}` : `${length} ago`;
}

/** How long an instant is over that something should have begun at: `overdue 3 min`. */
export function formatOverdue(instant: number | string, nowMs: number = Date.now()): string {
  const seconds = (nowMs - new Date(instant).getTime()) / 1000;
  return `overdue ${lengthText(Math.max(seconds, 1))}`;
}

/**
 * The instants of a text that statecron wrote, which has them in UTC, in a zone; `exact`: with the
 * milliseconds that are written.
 */
export function withLocalInstants(text: string, timezone: string, how?: 'exact'): string {
  return text.replace(isoInUtc, (instant) => {
    const isExact = how === 'exact' && instant.includes('.');
    return `${(isExact ? formatExactInstant : formatInstant)(instant, timezone)}`;
  });
}

/** The zone of the terminal, and of this machine's cron. */
export function localTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const isoInUtc = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g;

function lengthText(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
