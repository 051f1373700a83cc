import { formatDuration, parseDuration } from '../time/duration.ts';
import { parseInstant } from '../time/parseInstant.ts';

/** A time ago, by the database's clock; or an instant. */
export type Since = { readonly agoMs: number } | { readonly instantMs: number };

/** Reads either: `7d`, or an ISO instant with its zone; null: it is neither. */
export function parseSince(text: string): Since | null {
  const instantMs = parseInstant(text);
  if (instantMs !== null) return { instantMs };
  const agoMs = parseDuration(text);
  return typeof agoMs === 'number' ? { agoMs } : null;
}

/** The same in epoch milliseconds, at that time. */
export function instantOf(since: Since, nowMs: number): number {
  return 'agoMs' in since ? nowMs - since.agoMs : since.instantMs;
}

/** The same as text. */
export function formatSince(since: Since): string {
  if ('agoMs' in since) return formatDuration(since.agoMs);
  return new Date(since.instantMs).toISOString();
}
