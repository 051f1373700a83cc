import { isDeepStrictEqual } from 'node:util';
import { fieldFault } from '../fieldFault.ts';
import { jobFields } from '../fields.ts';
import type { Field } from '../fieldTable/field.ts';
import type { JobDefinition } from '../jobDefinition.ts';
import type { JobFields, RetryPolicy } from '../jobPolicies.ts';
import { withLowestFormat } from './definitionFormat.ts';
import { mergeNotify } from './mergeNotify.ts';
import { mergeVariables } from './mergeVariables.ts';

/**
 * A definition with the changes that are given. A field that is not given changes nothing; a list
 * that is given replaces the one before; `false`, and the default, take a field away, so that older
 * nodes can run the job again. Fields that this version does not know stay as they are.
 * @throws FieldError (2) when fields of one policy do not fit together.
 */
export function mergeFields(definition: JobDefinition, given: JobFields): JobDefinition {
  const merged: Record<string, unknown> = { ...definition };
  for (const field of plainFields) {
    const value = (given as Readonly<Record<string, unknown>>)[field.key];
    if (value !== undefined) setField(merged, field, storedValue(field, value));
  }
  const wholes = {
    ...schedulesOf(given.cron),
    ...{ secretEnv: false },
    ...mergeVariables(definition, given),
    retry: mergeRetry(definition.retry, given),
    notify: mergeNotify(definition.notify, given),
  };
  for (const [name, value] of Object.entries(wholes)) setStored(merged, name, value);
  return withLowestFormat(merged as unknown as JobDefinition);
}

/** Fields of which each is stored by itself; those of the others are merged together. */
const plainFields = jobFields.filter(
  ({ key, kind, name }) =>
    key !== 'cron' && kind !== 'variables' && name !== 'retry' && name !== 'notify',
);

/** What is stored for a value that is given; undefined: nothing is. */
function storedValue(field: Field, value: unknown): unknown {
  const isNone = value === false || isDeepStrictEqual(value, field.default);
  if (isNone) return field.format === 1 ? field.default : undefined;
  if (field.kind === 'duration' && field.seconds) return (value as number) / 1000;
  if (field.kind !== 'list') return value;
  const texts = value as readonly string[];
  if (texts.length === 0) return undefined;
  // Naming a thing twice means no more than once.
  return field.item === undefined ? [...new Set(texts)] : texts.map(field.item.read);
}

function setField(
  merged: Record<string, unknown>,
  { name, part }: Field,
  value: unknown = false,
): void {
  if (part === undefined) {
    setStored(merged, name, value);
    return;
  }
  const parts: Record<string, unknown> = { ...(merged[name] as object | undefined) };
  setStored(parts, part, value);
  setStored(merged, name, Object.keys(parts).length > 0 && parts);
}

/** `false`: it is taken away; undefined: it stays. */
function setStored(merged: Record<string, unknown>, name: string, value: unknown): void {
  if (value === false) delete merged[name];
  else if (value !== undefined) merged[name] = value;
}

/** The first schedule is stored apart from the others. */
function schedulesOf(cron: JobFields['cron']) {
  if (cron === undefined) return {};
  const [schedule, ...more] = cron;
  return { schedule, moreSchedules: more.length > 0 && more };
}

const retryDetails = jobFields.filter(({ name, part }) => name === 'retry' && part !== 'max');

/** What a retry policy is that says no more than how often. */
const retryDefaults = Object.fromEntries(
  retryDetails.map((field) => [field.part, field.default]),
) as Omit<RetryPolicy, 'max'>;

/**
 * A retry policy with the changes that are given; `false`: it is taken away, undefined: it stays.
 * @throws FieldError (2) when details are given of nothing.
 */
function mergeRetry(
  retry: RetryPolicy | undefined,
  given: JobFields,
): RetryPolicy | false | undefined {
  const { retries, retryDelayMax } = given;
  const changed = retryDetails.filter(({ key }) => Reflect.get(given, key) !== undefined);
  const hint = 'See: statecron docs jobs';
  if (retries === undefined && changed.length === 0) return undefined;
  if (retries === 0 || retries === false) {
    if (changed.length === 0) return false;
    const rest = ': is 0, so there is nothing that other retry fields are about.';
    throw fieldFault('retries', rest, { hint });
  }
  const max = retries ?? retry?.max;
  if (max === undefined) {
    throw fieldFault('retries', ' is missing: how often it is tried again.', { hint });
  }
  const merged: RetryPolicy = {
    ...(retry === undefined ? { max, ...retryDefaults } : { ...retry, max }),
    ...Object.fromEntries(changed.map(({ key, part }) => [part, Reflect.get(given, key)])),
  };
  // A first delay beyond the usual bound is wanted as it is.
  if (retryDelayMax !== undefined) return merged;
  return { ...merged, delayMsMax: Math.max(merged.delayMsMax, merged.delayMs) };
}
