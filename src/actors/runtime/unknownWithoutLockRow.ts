import { OperatorError } from '../../domain/errors/errors.ts';
import { unknown } from '../../domain/errors/outcome.ts';

/**
 * For a write that failed: without its lock row nothing was done, and it is tried again until an
 * operator has put the row back. Any other error is thrown on.
 */
export function unknownWithoutLockRow(error: unknown): ReturnType<typeof unknown> {
  if (!(error instanceof OperatorError) || error.code !== 'lock_row_missing') throw error;
  return unknown(new Error(`${error.message} ${error.hint}`));
}
