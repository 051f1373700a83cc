import { OperatorError } from '../../domain/errors/errors.ts';
import { didYouMean } from '../../domain/text/didYouMean.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';

/**
 * The error about an object that is not there, with the names of those that may have been meant: as
 * far as whoever asks may see them. Any other error, and one without such names, as it is.
 */
export async function withNearNames(error: unknown, operator: ApiOperator): Promise<unknown> {
  if (!(error instanceof OperatorError)) return error;
  const { code, exitCode, hint, message } = error;
  const readNames = namesOf[code];
  const given = /"(?:[^"\\]|\\.)*"/.exec(message)?.[0];
  if (readNames === undefined || given === undefined) return error;
  // It is the first error that matters: this one was only about to say more.
  const names = await readNames(operator).catch(() => []);
  const meant = didYouMean(JSON.parse(given) as string, names);
  if (meant === '') return error;
  return new OperatorError({ code, exitCode, hint, message: message + meant, cause: error });
}

/** The names of what there is, by the code of the error that one of them is not there. */
const namesOf: Readonly<Record<string, (operator: ApiOperator) => Promise<string[]>>> = {
  job_missing: jobNames,
  upstream_missing: jobNames,
  job_group_missing: async (operator) => {
    const groups = (await jobs(operator)).map(({ group }) => group ?? 'default');
    return [...new Set(groups)];
  },
  limit_missing: async (operator) => (await operator.listLimits()).map(({ group }) => group),
  group_missing: async (operator) => (await operator.listGroups()).map(({ group }) => group),
  target_missing: async (operator) =>
    (await operator.listNotificationTargets()).map(({ name }) => name),
  token_missing: async (operator) => (await operator.listTokens()).map(({ name }) => name),
  node_away: liveNodes,
  node_missing: liveNodes,
};

async function jobNames(operator: ApiOperator): Promise<string[]> {
  return (await jobs(operator)).map(({ job }) => job);
}

/** The first so many: among more, a look at all of them would take longer than it is worth. */
async function jobs(operator: ApiOperator) {
  const found = [];
  for await (const job of operator.listJobs({ jobsMax: 1_000 })) found.push(job);
  return found;
}

async function liveNodes(operator: ApiOperator): Promise<string[]> {
  return (await operator.listSessions()).sessions.map(({ nodeName }) => nodeName);
}
