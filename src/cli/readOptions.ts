import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../domain/duration.ts';

/** Reads an option that is a duration, such as 30s, as milliseconds. */
export function readDurationMs(text: string): number {
  const duration = parseDuration(text);
  if (typeof duration === 'number') return duration;
  throw new InvalidArgumentError(`${duration.error}.`);
}

/** Reads an option that is a whole number within bounds. */
export function readNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`A whole number from ${least} to ${most} is wanted.`);
  };
}

/** Reads an option that is a size, such as 64KiB, 1MiB or plain bytes. */
export function readBytes(text: string): number {
  const match = /^(\d{1,12})(B|KiB|MiB|K|M)?$/i.exec(text);
  if (match === null) throw new InvalidArgumentError('Write a size as 65536, 64KiB or 1MiB.');
  const unit = (match[2] ?? 'B').charAt(0).toUpperCase();
  return Number(match[1]) * (unit === 'M' ? 1024 * 1024 : unit === 'K' ? 1024 : 1);
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Reads an option that is an instant in ISO 8601 with its zone, as epoch milliseconds. */
export function readInstantMs(text: string): number {
  const instantMs = parseInstant(text);
  if (instantMs !== null) return instantMs;
  throw new InvalidArgumentError('Write an instant as 2030-01-31T09:30:00Z.');
}

/** An ISO instant, or null. Without Z or an offset nobody can say when it is. */
export function parseInstant(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const instantMs = Date.parse(text);
  return Number.isNaN(instantMs) ? null : instantMs;
}
