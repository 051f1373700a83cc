import { readFileSync, statSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { JobFields } from '../../domain/job/jobPolicies.ts';
import { usageFault } from '../output/reportFault.ts';

/** One thing that is given as it is or as a file that has it; null: neither. */
interface GivenSecret {
  /** How it is given, for a fault's message. */
  readonly name: string;
  readonly what: string;
  readonly value: string | undefined;
  readonly file: string | undefined;
}

/**
 * The first line of a file, or the value itself.
 * @throws OperatorError 78 when both are given, or the file cannot be read.
 */
export function pickSecret({ name, what, value, file }: GivenSecret): string | null {
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
      hint: `Check that ${file} is there and readable by this user alone: chmod 600 ${file}`,
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
    // Whoever leaves the name out has given the secret: it is not repeated.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(pair)) throw usageFault(secretForm, secretHint);
    const value = process.env[pair];
    if (value === undefined || value === '')
      throw usageFault(`--secret-env: ${notSet}`, secretHint);
    return `${pair}=${value}`;
  });
  return { ...fields, secretEnv };
}

const secretForm = '--secret-env: NAME or NAME=VALUE is required.';
const notSet = 'that variable is not set for this command.';
const secretHint = 'Set it for this command: read -rs TOKEN && export TOKEN';
