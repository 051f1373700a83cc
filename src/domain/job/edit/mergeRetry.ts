import { fieldFault } from '../fieldFault.ts';
import { jobFields } from '../fields.ts';
import type { JobFields, RetryPolicy } from '../jobPolicies.ts';

const details = jobFields.filter(({ name, part }) => name === 'retry' && part !== 'max');

/** What a retry policy is that says no more than how often. */
const retryDefaults = Object.fromEntries(
  details.map((field) => [field.part, field.default]),
) as Omit<RetryPolicy, 'max'>;

/**
 * A retry policy with the changes that are given; `false`: it is taken away, undefined: it stays.
 * @throws FieldError (2) when details are given of nothing.
 */
export function mergeRetry(
  retry: RetryPolicy | undefined,
  given: JobFields,
): RetryPolicy | false | undefined {
  const { retries, retryDelayMax } = given;
  const changed = details.filter(({ key }) => Reflect.get(given, key) !== undefined);
  const hint = 'See: statecron --help';
  if (retries === undefined && changed.length === 0) return undefined;
  if (retries === 0 || retries === false) {
    if (changed.length === 0) return false;
    const rest = ': is 0, so there is nothing that other retry fields are about.';
    throw fieldFault('--retries', rest, { hint });
  }
  const max = retries ?? retry?.max;
  if (max === undefined) {
    throw fieldFault('--retries', ' is missing: how often it is tried again.', { hint });
  }
  const merged: RetryPolicy = {
    ...(retry === undefined ? { max, ...retryDefaults } : { ...retry, max }),
    ...Object.fromEntries(changed.map(({ key, part }) => [part, Reflect.get(given, key)])),
  };
  // A first delay beyond the usual bound is wanted as it is.
  if (retryDelayMax !== undefined) return merged;
  return { ...merged, delayMsMax: Math.max(merged.delayMsMax, merged.delayMs) };
}
