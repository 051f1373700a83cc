import { fieldFault } from '../fieldFault.ts';
import type { JobDefinition } from '../jobDefinition.ts';
import type { JobFields } from '../jobPolicies.ts';

type Variables = Pick<JobDefinition, 'env' | 'secretEnv'>;

/**
 * The variables of a job with the changes that are given. One that becomes secret is no plain one
 * any more; that a secret one becomes plain is refused by the checks of a definition, unless it is
 * unset.
 * @throws FieldError (2) for a pair without a value.
 */
export function mergeVariables(current: Variables, given: JobFields): Variables {
  const secrets = mergePairs(current.secretEnv ?? {}, given.secretEnv, given, 'secretEnv');
  const plain = Object.entries(current.env).filter(
    ([name]) => given.secretEnv === undefined || !Object.hasOwn(secrets, name),
  );
  const env = mergePairs(Object.fromEntries(plain), given.env, given, 'env');
  return Object.keys(secrets).length === 0 ? { env } : { env, secretEnv: secrets };
}

function mergePairs(
  current: Record<string, string>,
  pairs: readonly string[] = [],
  { unsetEnv = [] }: JobFields,
  field: 'env' | 'secretEnv',
): Record<string, string> {
  const merged = new Map(Object.entries(current));
  for (const name of unsetEnv) merged.delete(name);
  for (const pair of pairs) {
    const end = pair.indexOf('=');
    if (end === -1) throw noValue(field, pair);
    merged.set(pair.slice(0, end), pair.slice(end + 1));
  }
  // Own properties whatever the name, so that none is special.
  return Object.fromEntries(merged);
}

/** What was given for a secret may be the secret itself, so it is not repeated. */
function noValue(field: 'env' | 'secretEnv', pair: string): Error {
  const shown = field === 'env' ? ` ${JSON.stringify(pair)}` : '';
  return fieldFault(field, `${shown} has no "=" in it.`, { hint: 'Write it as NAME=VALUE.' });
}
