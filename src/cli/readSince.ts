import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { parseInstant } from '../domain/parseInstant.ts';

/** A time ago, told the database's clock; or an instant. */
export type Since = { readonly agoMs: number } | { readonly instantMs: number };

/** Reads an option that is either: `7d`, or an ISO instant with its zone. */
export function readSince(text: string): Since {
  const instantMs = parseInstant(text);
  if (instantMs !== null) return { instantMs };
  const agoMs = parseDuration(text);
  if (typeof agoMs === 'number') return { agoMs };
  throw new InvalidArgumentError('Write a time ago as 7d or 1h30m, or 2030-01-31T09:30:00Z.');
}
