import { OperatorError } from '../../domain/errors/errors.ts';

/** The store found that a row of its table of locks is not there. */
export function isLockRowMissing(error: unknown): error is OperatorError {
  return error instanceof OperatorError && error.code === 'lock_row_missing';
}
