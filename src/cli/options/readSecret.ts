import { readFileSync, statSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

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
