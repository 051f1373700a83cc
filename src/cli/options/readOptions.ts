import { InvalidArgumentError, Option } from 'commander';
import type { OperatorError } from '../../domain/errors/errors.ts';
import { sizeText } from '../../domain/job/fieldsOfDefinition.ts';
import * as fields from '../../domain/job/readField.ts';
import { readTimezone } from '../../domain/schedule/read/readTimezone.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import { usageFault } from '../output/reportFault.ts';

/** Reads an option that is a duration, such as 30s, as milliseconds. */
export const readDurationMs = asArgument(fields.readDurationMs);

/** An option that is a duration, whose help shows its default in the form that it takes. */
export function durationOption(flags: string, text: string, defaultMs: number): Option {
  return new Option(flags, text)
    .argParser(readDurationMs)
    .default(defaultMs, formatDuration(defaultMs));
}

/** Reads an option that is a whole number within bounds. */
export const readNumber = (least: number, most: number): ((text: string) => number) =>
  asArgument(fields.readNumber(least, most));

/** Reads a size, such as 64MiB, within bounds, in bytes. */
export function readSize(least: number, most: number): (text: string) => number {
  const read = asArgument(fields.readBytes);
  return (text) => {
    const bytes = read(text);
    if (bytes >= least && bytes <= most) return bytes;
    const bounds = `${sizeText(least)} to ${sizeText(most)}`;
    throw new InvalidArgumentError(`A size from ${bounds} is required.`);
  };
}

/** `--timezone`, on commands that show the times of each job in its zone otherwise. */
export function shownZoneOption(): Option {
  const text = "show times by the clock of this IANA zone, such as Asia/Tokyo (the job's)";
  return new Option('--timezone <zone>', text).argParser((name) => {
    const zone = readTimezone(name);
    if ('error' in zone) throw new InvalidArgumentError(`${zone.error}.`);
    return zone.timezone;
  });
}

/** Reads why somebody does something, for people. */
export function readNote(text: string): string {
  if (text.length <= 500) return text;
  throw new InvalidArgumentError('At most 500 characters are allowed.');
}

/**
 * The request id that an operator chose, or null.
 * @throws OperatorError (2) for one that is malformed or reserved: `chain:` is statecron's own, and
 * numbers are those of runs.
 */
export function readRequestId(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[0-9A-Za-z._:-]{1,64}$/.test(text)) {
    throw requestIdFault('1 to 64 letters, digits and . _ : - are allowed.');
  }
  if (text.startsWith('chain:')) throw requestIdFault('may not begin with "chain:".');
  if (/^\d+$/.test(text)) throw requestIdFault('may not be a number.');
  return text;
}

function requestIdFault(why: string): OperatorError {
  return usageFault(`--request-id: ${why}`, 'Without it the request gets an id of its own.');
}

/** An option that takes some words alone, and may be given several times. */
export function choicesOption(flags: string, text: string, choices: readonly string[]): Option {
  const option = new Option(flags, text).choices(choices);
  const { parseArg: check } = option;
  return option.argParser((word, before: readonly string[] | undefined) => {
    check?.(word, undefined);
    return collect(word, before);
  });
}

/** Collects an option that may be given several times. */
export const collect = fields.collect;

/** The same reading, with its complaints as commander wants them: it names the option. */
export function asArgument<Rest extends unknown[], T>(
  read: (text: string, ...rest: Rest) => T,
): (text: string, ...rest: Rest) => T {
  return (text, ...rest) => {
    try {
      return read(text, ...rest);
    } catch (error) {
      throw error instanceof fields.FieldTextError
        ? new InvalidArgumentError(error.message)
        : error;
    }
  };
}
