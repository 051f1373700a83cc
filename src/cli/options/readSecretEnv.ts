import type { JobFields } from '../../domain/job/jobPolicies.ts';
import { usageFault } from '../output/reportFault.ts';

/**
 * The words with the values of secrets that were given by name alone, read from the command's own
 * environment: a command line can be read by everybody on the machine.
 * @throws OperatorError (2) that names a variable that is not set.
 */
export function readSecretEnv<T extends JobFields>(words: T): T {
  if (words.secretEnv === undefined) return words;
  const secretEnv = words.secretEnv.map((pair) => {
    if (pair.includes('=')) return pair;
    // Whoever leaves the name out has given the secret: it is not repeated.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(pair)) throw usageFault(wanted, hint);
    const value = process.env[pair];
    if (value === undefined || value === '') throw usageFault(`--secret-env: ${notSet}`, hint);
    return `${pair}=${value}`;
  });
  return { ...words, secretEnv };
}

const wanted = '--secret-env: NAME or NAME=VALUE is wanted.';
const notSet = 'that variable is not set for this command.';
const hint = 'Set it for this command: read -rs TOKEN && export TOKEN';
