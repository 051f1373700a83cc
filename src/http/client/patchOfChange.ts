import type { JobPause } from '../../domain/job/edit/jobPause.ts';
import { jobFields } from '../../domain/job/fields.ts';
import {
  diffFields,
  type FileValue,
  fieldsOfDefinition,
} from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';

/** A definition as the body of a request: the fields of job files in camelCase. */
export function bodyOfDefinition(definition: JobDefinition): Record<string, FileValue> {
  return Object.fromEntries(fieldsOfDefinition(definition, 'key'));
}

/** The fields of a new job by which it is paused. */
export function bodyOfPause(pause: JobPause | null): Record<string, FileValue> {
  if (pause === null) return {};
  const { untilMs } = pause;
  return untilMs === null ? { paused: true } : { pausedUntil: new Date(untilMs).toISOString() };
}

type Patch = Record<string, FileValue | Record<string, string | null> | null>;

/**
 * What changes between two definitions, as a merge: null removes a field, or a variable. What the
 * client does not know of a job is in no field, and stays.
 */
export function patchOfChange(before: JobDefinition, after: JobDefinition): Patch {
  const changes = diffFields(before, after).map(({ field, before: old, after: next }) => {
    return [field, variableFields.has(field) ? patchOfVariables(old, next) : next] as const;
  });
  return Object.fromEntries(changes);
}

const variableFields: ReadonlySet<string> = new Set(
  jobFields.flatMap(({ key, kind }) => (kind === 'variables' ? [key] : [])),
);

function patchOfVariables(
  before: FileValue | null,
  after: FileValue | null,
): Record<string, string | null> {
  const [from, to] = [variables(before), variables(after)];
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  const changed = Object.entries(to).filter(([name, value]) => from[name] !== value);
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...changed]);
}

function variables(value: FileValue | null): Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
