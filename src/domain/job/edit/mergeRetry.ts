import { fieldFault } from '../fieldFault.ts';
import { jobFields } from '../fields.ts';
import type { JobFields, RetryPolicy } from '../jobPolicies.ts';
import { nameAndPart } from '../storedOf.ts';

const details = jobFields.filter(
  ({ key, stored }) => stored.startsWith('retry.') && key !== 'retries',
);

/** What a retry policy is that says no more than how often. */
const retryDefaults = Object.fromEntries(
  details.map(({ stored, default: usual }) => [nameAndPart(stored)[1], usual]),
) as Omit<RetryPolicy, 'max'>;

/**
 * A retry policy with the changes that are given; `false`: it is taken away, undefined: it stays.
 * @throws FieldError (2) when details are given of nothing.
 */
export function mergeRetry(
  retry: RetryPolicy | undefined,
  given: JobFields,
): RetryPolicy | false | undefined {
  const { retries } = given;
  const values = given as Readonly<Record<string, unknown>>;
  const changes = details.flatMap(({ key, stored }) =>
    values[key] === undefined ? [] : [[nameAndPart(stored)[1], values[key]] as const],
  );
  if (retries === undefined && changes.length === 0) return undefined;
  if (retries === 0 || retries === false) {
    if (changes.length === 0) return false;
    throw fieldFault(
      '--retries',
      ': is 0, so there is nothing that other retry fields are about.',
      {
        hint: seeHelp,
      },
    );
  }
  const max = retries ?? retry?.max;
  if (max === undefined) {
    throw fieldFault('--retries', ' is missing: how often it is tried again.', { hint: seeHelp });
  }
  const merged = Object.assign({ max }, retry ?? retryDefaults, Object.fromEntries(changes), {
    max,
  });
  // A first delay beyond the usual bound is wanted as it is.
  const isBounded = given.retryDelayMax !== undefined;
  return isBounded
    ? merged
    : { ...merged, delayMsMax: Math.max(merged.delayMsMax, merged.delayMs) };
}

const seeHelp = 'See: statecron --help';
