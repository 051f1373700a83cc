import { isDeepStrictEqual } from 'node:util';
import { formatDuration } from '../time/duration.ts';
import { jobFields } from './fields.ts';
import { type Field, storedOf } from './fieldTable/field.ts';
import type { JobDefinition } from './jobDefinition.ts';

/** A value as a file of jobs has it. */
export type FileValue = string | number | boolean | string[] | Record<string, string>;

/**
 * A definition as a file of jobs has it, by the flags of its fields or by their keys, in the order
 * of the table; what has its default is left out. Reading it again gives the same definition, but
 * for where it was imported from.
 */
export function fieldsOfDefinition(
  definition: JobDefinition,
  by: 'flag' | 'key' = 'flag',
): Map<string, FileValue> {
  return new Map(
    jobFields.flatMap((field) => {
      const value = storedOf(definition, field);
      const isLeftOut =
        value === undefined || value === null || isDefault(definition, field, value);
      return isLeftOut ? [] : [[field[by], writeField(field, value)] as const];
    }),
  );
}

/** Where a job may run, as its flags say it. */
export function placeOf(definition: JobDefinition): string[] {
  const fields = [...fieldsOfDefinition(definition)];
  return fields.flatMap(([flag, value]) => (placeFlags.has(flag) ? [`--${flag} ${value}`] : []));
}

const placeFlags = new Set([
  ...['on-node', 'on-label', 'on-group'],
  ...['not-on-node', 'not-on-label', 'not-on-group'],
]);

function isDefault({ retry }: JobDefinition, { key, ...field }: Field, value: unknown): boolean {
  // A first delay beyond the usual bound moves the bound.
  const least = key === 'retryDelayMax' ? (retry?.delayMs ?? 0) : Number.NEGATIVE_INFINITY;
  const usual = typeof field.default === 'number' ? Math.max(field.default, least) : field.default;
  return isDeepStrictEqual(value, usual) || isEmpty(value);
}

/** A field that two definitions have differently; null: one of them has its default. */
export interface FieldChange {
  /** Its key, or its flag. */
  readonly field: string;
  readonly before: FileValue | null;
  readonly after: FileValue | null;
}

/** The fields that two definitions differ in; null: there is none, and all has its default. */
export function diffFields(
  before: JobDefinition | null,
  after: JobDefinition | null,
  by: 'key' | 'flag' = 'key',
): FieldChange[] {
  const fieldsIn = (definition: JobDefinition | null): ReadonlyMap<string, FileValue> =>
    definition === null ? new Map() : fieldsOfDefinition(definition, by);
  const [from, to] = [fieldsIn(before), fieldsIn(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((field) => {
    const change = { before: from.get(field) ?? null, after: to.get(field) ?? null };
    return isDeepStrictEqual(change.before, change.after) ? [] : [{ field, ...change }];
  });
}

/** What is stored for a field, as its flag is given it. */
export function writeField(field: Field, value: unknown): FileValue {
  switch (field.kind) {
    case 'duration':
      return formatDuration((value as number) * (field.seconds ? 1000 : 1));
    case 'size':
      return sizeText(value as number);
    case 'list': {
      const texts = (value as never[]).map(field.item?.write ?? String);
      return field.key === 'cron' && texts.length === 1 ? (texts[0] as string) : texts;
    }
    case 'choices':
      return [...(value as string[])];
    default:
      return value as FileValue;
  }
}

/** In the largest unit that says it exactly. */
export function sizeText(bytes: number): string {
  for (const [unit, power] of [['GiB', 3] as const, ['MiB', 2] as const, ['KiB', 1] as const]) {
    const each = 1024 ** power;
    if (bytes >= each && bytes % each === 0) return `${bytes / each}${unit}`;
  }
  return `${bytes}B`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
