import { isDeepStrictEqual } from 'node:util';
import { type FileValue, fieldsOfDefinition } from '../fieldsOfDefinition.ts';
import type { JobDefinition } from '../jobDefinition.ts';

/** A field that two definitions have differently; null: one of them has its default. */
interface FieldChange {
  /** Its key, or its flag. */
  readonly field: string;
  readonly before: FileValue | null;
  readonly after: FileValue | null;
}

/** The fields that two definitions differ in. */
export function diffFields(
  before: JobDefinition,
  after: JobDefinition,
  by: 'key' | 'flag' = 'key',
): FieldChange[] {
  const [from, to] = [fieldsOfDefinition(before, by), fieldsOfDefinition(after, by)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((field) => {
    const change = { before: from.get(field) ?? null, after: to.get(field) ?? null };
    return isDeepStrictEqual(change.before, change.after) ? [] : [{ field, ...change }];
  });
}
