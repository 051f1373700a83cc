import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { FileFault } from '../../domain/jobFile/fileFault.ts';
import { printNote } from '../output/print.ts';

const shownMax = 20;

/**
 * Refuses a file with all that is wrong with it: one fault a line for the person, the first one in
 * the error itself.
 * @throws OperatorError (2) `bad_file`, when there is any fault.
 */
export function requireNoFaults(file: string, faults: readonly FileFault[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  for (const other of others.slice(0, shownMax)) printNote(faultText(file, other));
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new OperatorError({
    code: 'bad_file',
    message: `${faultText(file, first)}${more}`,
    hint: 'Nothing was changed. The fields of a job are the flags of: statecron job add --help',
    exitCode: exitCodes.usage,
  });
}

function faultText(file: string, { line, job, message }: FileFault): string {
  return `${file}:${line}: ${job === null ? '' : `${JSON.stringify(job)}: `}${message}`;
}
