import { parseDuration } from '../duration.ts';
import { parseInstant } from '../parseInstant.ts';
import type { JobFlag } from './jobFlag.ts';

/** Why a text is not what a word wants: a sentence that says what is allowed. */
export class WordError extends Error {
  override readonly name = 'WordError';
}

/**
 * How one text of a word is read, `before` being what a repeated one has collected; null: as it is.
 * @throws WordError
 */
export function readerOf(flag: JobFlag): ((text: string, before: unknown) => unknown) | null {
  if (flag.kind === 'list' || flag.kind === 'variables')
    return (text, before) => collect(text, before as string[]);
  if (flag.kind === 'duration') return readDurationMs;
  if (flag.kind === 'size') return readBytes;
  if (flag.kind === 'number') return readNumber(flag.least, flag.most);
  return flag.kind === 'choices' ? readChoices(flag.choices) : null;
}

/** Reads a duration, such as 30s, as milliseconds. */
export function readDurationMs(text: string): number {
  const duration = parseDuration(text);
  if (typeof duration === 'number') return duration;
  throw new WordError(`${duration.error}.`);
}

/** Reads a whole number within bounds. */
export function readNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new WordError(`A whole number from ${least} to ${most} is wanted.`);
  };
}

/** Reads a size, such as 64KiB, 1MiB, 2GiB or plain bytes. */
export function readBytes(text: string): number {
  const match = /^(\d{1,16})(B|KiB|MiB|GiB|K|M|G)?$/i.exec(text);
  if (match === null) throw new WordError('Write a size as 65536, 64KiB or 1MiB.');
  const unit = (match[2] ?? 'B').charAt(0).toUpperCase();
  return Number(match[1]) * 1024 ** 'BKMG'.indexOf(unit);
}

/** Reads words of a list, with commas between them; each counts once. */
export function readChoices(choices: readonly string[]): (text: string) => string[] {
  return (text) => {
    const words = new Set(text.split(',').map((word) => word.trim()));
    if ([...words].every((word) => choices.includes(word))) {
      return choices.filter((word) => words.has(word));
    }
    throw new WordError(`Allowed are ${choices.join(', ')}, with commas between.`);
  };
}

/** Collects what may be given several times. */
export function collect(text: string, before: readonly string[] | false | undefined): string[] {
  return [...(before || []), text];
}

/** Reads an instant in ISO 8601 with its zone, as epoch milliseconds. */
export function readInstantMs(text: string): number {
  const instantMs = parseInstant(text);
  if (instantMs !== null) return instantMs;
  throw new WordError('Write an instant as 2030-01-31T09:30:00Z.');
}
