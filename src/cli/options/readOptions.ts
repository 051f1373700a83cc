import { InvalidArgumentError, Option } from 'commander';
import * as words from '../../domain/job/readField.ts';
import { formatDuration } from '../../domain/time/duration.ts';

/** Reads an option that is a duration, such as 30s, as milliseconds. */
export const readDurationMs = asArgument(words.readDurationMs);

/** An option that is a duration, whose help tells its default in the words that it takes. */
export function durationOption(flags: string, text: string, defaultMs: number): Option {
  return new Option(flags, text)
    .argParser(readDurationMs)
    .default(defaultMs, formatDuration(defaultMs));
}

/** Reads an option that is a whole number within bounds. */
export const readNumber = (least: number, most: number): ((text: string) => number) =>
  asArgument(words.readNumber(least, most));

/** Reads an option that is an instant in ISO 8601 with its zone, as epoch milliseconds. */
export const readInstantMs = asArgument(words.readInstantMs);

/** Collects an option that may be given several times. */
export const collect = words.collect;

/** The same reading, with its complaints as commander wants them: it names the option. */
export function asArgument<Rest extends unknown[], T>(
  read: (text: string, ...rest: Rest) => T,
): (text: string, ...rest: Rest) => T {
  return (text, ...rest) => {
    try {
      return read(text, ...rest);
    } catch (error) {
      throw error instanceof words.FieldTextError ? new InvalidArgumentError(error.message) : error;
    }
  };
}
