import { isDeepStrictEqual } from 'node:util';
import { scheduleFields } from '../../schedule/scheduleSet.ts';
import type { JobDefinition } from '../jobDefinition.ts';
import type { JobFields } from '../jobPolicies.ts';
import { type BuiltDefinition, checked, definitionOf, requireNoFault } from './buildDefinition.ts';
import { unknownFields, withLowestFormat } from './definitionFormat.ts';

/**
 * The definition made of a complete set of a job's fields. Where it was imported from stays,
 * and what this version does not know. The schedule is checked only when it is another: one that
 * has come to its end may still have its other fields changed.
 * @throws FieldError (2) that names the fields at fault.
 */
export function replacedDefinition(
  current: JobDefinition,
  words: JobFields,
  nowMs: number,
): BuiltDefinition {
  const { origin, format } = current;
  const names = unknownFields(current);
  const unknown = Object.entries(current).filter(([field]) => names.includes(field));
  const definition = withLowestFormat({
    ...definitionOf(current.name, words),
    ...(Object.fromEntries(unknown) as object),
    ...(origin === undefined ? {} : { origin }),
    ...(format === undefined ? {} : { format }),
  });
  if (!isSameSchedule(definition, current)) return checked(definition, words.timezone, nowMs);
  requireNoFault(definition);
  return { definition, warnings: [] };
}

function isSameSchedule(one: JobDefinition, other: JobDefinition): boolean {
  return scheduleFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
