import { FieldError, OperatorError } from '../../domain/errors/errors.ts';
import { didYouMean } from '../../domain/text/didYouMean.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withLocalInstants } from '../output/formatInstant.ts';
import { knownNodes, type NamedKind, objectNames } from './objectNames.ts';

/**
 * The error about an object that is not there, with when it was removed, if it is a job that was,
 * else with the names of those that may have been meant: as far as whoever asks may see them. Any
 * other error, and one without such names, as it is.
 */
export async function withNearNames(error: unknown, operator: ApiOperator): Promise<unknown> {
  if (!(error instanceof OperatorError)) return error;
  const { code, exitCode, hint, message, missing } = error;
  const kind = kinds[code];
  if (kind === undefined || missing === undefined) return error;
  const removed = code === 'job_missing' ? await whenRemoved(operator, missing) : null;
  if (removed !== null) {
    const job = shellWord(missing);
    const see = `See: statecron audit --job ${job}; its runs: statecron runs --job ${job}`;
    const said = `${message} ${removed}`;
    return new OperatorError({ code, exitCode, hint: see, message: said, cause: error });
  }
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

/** Null: there was none of the name, as far as whoever asks may see it. */
async function whenRemoved(operator: ApiOperator, job: string): Promise<string | null> {
  const why = await operator.whyJob(job).catch(() => null);
  return why?.state === 'removed' ? withLocalInstants(why.text, why.timezone) : null;
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
