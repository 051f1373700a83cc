import { type Command, Option } from 'commander';
import { sizeText } from '../../domain/job/fieldsOfDefinition.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import { usageFault } from '../output/reportFault.ts';
import { collect, readDurationMs, readNumber, readSize } from './readOptions.ts';

/** How an option is declared, given its flag; `T`: what is read of it. */
type OptionRow<T> = (flag: string) => Option & { readonly reads?: T };
type Bounds = readonly [least: number, most: number];

/** What commander reads of the options of a table. */
export type FlagsOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends OptionRow<infer T> ? T : never;
};

/** Adds the options of a table in its order: the key `keepDays` is the flag `--keep-days`. */
export function addOptions(
  command: Command,
  table: Readonly<Record<string, OptionRow<unknown>>>,
  heading = 'Options:',
): Command {
  for (const [key, row] of Object.entries(table)) {
    command.addOption(row(flagOf(key)).helpGroup(heading));
  }
  return command;
}

/** As it is given: `keepDays` by `--keep-days`. */
export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @param value how the help names what is given, as `name` */
export function custom<T = string | undefined>(
  value: string,
  help: string,
  read?: (text: string, before: T) => T,
  byDefault?: T,
): OptionRow<T> {
  return (flag) => {
    const option = new Option(`${flag} <${value}>`, help).default(byDefault);
    return read === undefined ? option : option.argParser(read);
  };
}

/** One that may be repeated. */
export const list = (value: string, help: string) =>
  custom<readonly string[] | undefined>(value, help, collect);

export const toggle =
  (help: string): OptionRow<true | undefined> =>
  (flag) =>
    new Option(flag, help);

export const number = (help: string, [least, most]: Bounds, byDefault: number) =>
  custom('number', help, readNumber(least, most), byDefault);

/** A size in bytes. */
export const size =
  (help: string, [least, most]: Bounds, byDefault: number): OptionRow<number> =>
  (flag) =>
    custom('size', help, readSize(least, most))(flag).default(byDefault, sizeText(byDefault));

/** One of several, by default the first. */
export const choice =
  <const T extends string>(help: string, choices: readonly T[]): OptionRow<T> =>
  (flag) =>
    new Option(`${flag} <what>`, help).choices(choices).default(choices[0]);

/** A duration in milliseconds. */
export function duration(help: string, bounds: Bounds, defaultMs: number): OptionRow<number> {
  return (flag) => {
    const read = (text: string): number => readBetween(flag, bounds, readDurationMs(text));
    return custom('duration', help, read)(flag).default(defaultMs, formatDuration(defaultMs));
  };
}

function readBetween(flag: string, [leastMs, mostMs]: Bounds, valueMs: number): number {
  if (valueMs >= leastMs && valueMs <= mostMs) return valueMs;
  throw nodeFault(`${flag}: ${leastMs / 1000}s to ${mostMs / 1000}s are allowed.`);
}

/** A mistake in a flag of a node. */
export function nodeFault(message: string) {
  return usageFault(message, 'See: statecron node --help');
}
