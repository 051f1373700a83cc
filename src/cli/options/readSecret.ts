import { readFileSync, statSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { JobFields } from '../../domain/job/jobPolicies.ts';
import { usageFault } from '../output/reportFault.ts';

/**
 * A secret that is given as it is or as a file whose first line has it; null: neither.
 * @param name how it is given, for a fault's message
 * @throws OperatorError 78 when both are given, or the file cannot be read.
 */
export function pickSecret(
  name: string,
  what: string,
  value: string | undefined,
  file: string | undefined,
): string | null {
  if (isSet(value) && isSet(file)) {
    throw new OperatorError({
      code: 'given_twice',
      message: `${name} is given twice: as it is and as a file.`,
      hint: 'Give only one of the two.',
      exitCode: exitCodes.configuration,
    });
  }
  if (isSet(value)) return value;
  return isSet(file) ? readSecret(file, what) : null;
}

/** The same of a variable, or of the one that names a file and ends in `_FILE`. */
export function readSecretVariable(
  name: string,
  what: string,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  return pickSecret(name, what, env[name], env[`${name}_FILE`]);
}

/**
 * The first line of a file, as editors leave a newline at its end. One that everybody may write is
 * refused: whoever names the database says what is executed here.
 * @throws OperatorError `secret_file` (78).
 */
export function readSecret(file: string, what: string): string {
  try {
    const found = statSync(file);
    if (found.isFile() && (found.mode & 0o002) !== 0) throw new Error('everybody may write to it');
    const text = readFileSync(file, 'utf8').replace(/\r?\n[\s\S]*$/, '');
    if (text === '') throw new Error('its first line is empty');
    return text;
  } catch (cause) {
    throw new OperatorError({
      code: 'secret_file',
      message: `The file with ${what} cannot be used: ${(cause as Error).message}.`,
      hint:
        (cause as NodeJS.ErrnoException).code === 'EACCES'
          ? 'Run this as the user whose file it is (sudo), or name a file of your own.'
          : `Check that ${file} is there and readable by this user alone: chmod 600 ${file}`,
      exitCode: exitCodes.configuration,
      cause,
    });
  }
}

export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/**
 * The fields with the values of secrets that were given by name alone, read from the command's own
 * environment: a command line can be read by everybody on the machine.
 * @throws OperatorError (2) that names a variable that is not set.
 */
export function readSecretEnv<T extends JobFields>(fields: T): T {
  if (fields.secretEnv === undefined) return fields;
  const secretEnv = fields.secretEnv.map((pair) => {
    if (pair.includes('=')) return pair;
    const refuse = (why: string) =>
      usageFault(`--secret-env: ${why}`, 'Set it for this command: read -rs TOKEN && export TOKEN');
    // What is no name may be the secret itself: it is not repeated.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(pair)) throw refuse('NAME or NAME=VALUE is required.');
    const value = process.env[pair];
    if (!isSet(value)) throw refuse('that variable is not set for this command.');
    return `${pair}=${value}`;
  });
  return { ...fields, secretEnv };
}
