import { FieldError, OperatorError } from '../../domain/errors/errors.ts';
import { didYouMean } from '../../domain/text/didYouMean.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { knownNodes, type NamedKind, objectNames } from './objectNames.ts';

/**
 * The error about an object that is not there, with the names of those that may have been meant: as
 * far as whoever asks may see them. Any other error, and one without such names, as it is.
 */
export async function withNearNames(error: unknown, operator: ApiOperator): Promise<unknown> {
  if (!(error instanceof OperatorError)) return error;
  const { code, exitCode, hint, message, missing } = error;
  const kind = kinds[code];
  if (kind === undefined || missing === undefined) return error;
  // It is the first error that matters: this one was only about to say more.
  const read = code === 'node_missing' ? knownNodes : objectNames[kind];
  const names = await read(operator).catch(() => []);
  const meant = didYouMean(missing, names);
  if (meant === '') return error;
  const fault = { code, exitCode, hint, message: message + meant, cause: error };
  return error instanceof FieldError
    ? new FieldError({ ...fault, errors: error.errors })
    : new OperatorError(fault);
}

/** What an error is about that says that one of them is not there, by its code. */
const kinds: Readonly<Record<string, NamedKind>> = {
  job_missing: 'job',
  upstream_missing: 'job',
  job_group_missing: 'jobGroup',
  limit_missing: 'limit',
  group_missing: 'group',
  target_missing: 'target',
  token_missing: 'token',
  node_away: 'node',
  node_missing: 'node',
};
