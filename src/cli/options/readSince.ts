import { InvalidArgumentError } from 'commander';
import { parseSince, type Since } from '../../domain/verify/since.ts';

/** Reads an option that is a time ago or an instant: `7d`, or ISO with its zone. */
export function readSince(text: string): Since {
  const since = parseSince(text);
  if (since !== null) return since;
  throw new InvalidArgumentError('Write a time ago as 7d or 1h30m, or 2030-01-31T09:30:00Z.');
}
