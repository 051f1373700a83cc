import { parseDuration } from '../time/duration.ts';
import type { Field } from './fieldTable/field.ts';

/** A value of a file before it is read: texts, as all scalars are. */
export type RawValue = string | readonly string[] | ReadonlyMap<string, string>;

/** Why a text is no value of a field: a sentence that says what is allowed. */
export class FieldTextError extends Error {
  override readonly name = 'FieldTextError';
}

/**
 * Reads the value of a field in a file the way that its flag reads it; undefined when it says that
 * there is none.
 * @throws Error that says what is allowed.
 */
export function readField(field: Field, raw: RawValue): unknown {
  if (raw === 'false' && field.kind !== 'switch' && field.without !== undefined) return undefined;
  if (field.kind === 'variables') {
    if (raw instanceof Map) return [...raw].map(([name, value]) => pairOf(name, value));
    if (Array.isArray(raw)) return [...raw];
    throw new Error('variables are wanted, one a line: NAME: value');
  }
  if (raw instanceof Map) throw new Error('a value is required, not a block of fields');
  const texts = typeof raw === 'string' ? [raw] : [...(raw as readonly string[])];
  if (field.kind === 'list') return texts;
  if (field.kind === 'choices') return readChoices(field.choices)(texts.join(','));
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) throw new Error('one value is required, not a list');
  if (field.kind === 'switch') return readSwitch(text);
  if (field.kind === 'choice' && !Object.hasOwn(field.choices, text)) {
    const allowed = Object.keys(field.choices).join(', ');
    throw new Error(`${JSON.stringify(text)} is none of ${allowed}`);
  }
  return readerOf(field)?.(text, undefined) ?? text;
}

/**
 * How one text of a flag is read, `before` being what a repeated one has collected; null: as it is.
 * @throws FieldTextError
 */
export function readerOf(field: Field): ((text: string, before: unknown) => unknown) | null {
  switch (field.kind) {
    case 'list':
    case 'variables':
      return (text, before) => collect(text, before as string[]);
    case 'duration':
      return readDurationMs;
    case 'size':
      return readBytes;
    case 'number':
      return readNumber(leastGiven(field), field.most);
    case 'choices':
      return readChoices(field.choices);
    default:
      return null;
  }
}

/** The least number that can be given: the default, too, though it may never be stored. */
export function leastGiven({ least, default: usual }: Extract<Field, { kind: 'number' }>): number {
  return typeof usual === 'number' ? Math.min(least, usual) : least;
}

/** Reads a duration, such as 30s, as milliseconds. */
export function readDurationMs(text: string): number {
  const duration = parseDuration(text);
  if (typeof duration === 'number') return duration;
  throw new FieldTextError(`${duration.error}.`);
}

/** Reads a whole number within bounds. */
export function readNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new FieldTextError(`A whole number from ${least} to ${most} is required.`);
  };
}

/** Reads a size, such as 64KiB, 1MiB, 2GiB or plain bytes. */
export function readBytes(text: string): number {
  const match = /^(\d{1,16})(B|KiB|MiB|GiB|K|M|G)?$/i.exec(text);
  if (match === null) throw new FieldTextError('Write a size as 65536, 64KiB or 1MiB.');
  const unit = (match[2] ?? 'B').charAt(0).toUpperCase();
  return Number(match[1]) * 1024 ** 'BKMG'.indexOf(unit);
}

/** Reads choices with commas between them; each counts once. */
export function readChoices(choices: readonly string[]): (text: string) => string[] {
  return (text) => {
    const chosen = new Set(text.split(',').map((each) => each.trim()));
    if ([...chosen].every((each) => choices.includes(each))) {
      return choices.filter((each) => chosen.has(each));
    }
    throw new FieldTextError(`Allowed are ${choices.join(', ')}, with commas between.`);
  };
}

/** Collects what may be given several times. */
export function collect(text: string, before: readonly string[] | false | undefined): string[] {
  return [...(before || []), text];
}

/** A name with a = in it would be another name, and another value, in the pair. */
function pairOf(name: string, value: string): string {
  if (!name.includes('=')) return `${name}=${value}`;
  throw new Error(`${JSON.stringify(name)} is no variable's name: it has a = in it`);
}

function readSwitch(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error('true or false is wanted');
}
