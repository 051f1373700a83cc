import { type ExitCode, exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { NodeAddress } from './nodeAddress.ts';
import type { NodeAnswer } from './sendRequest.ts';

/**
 * The error that an answer reports, with the code, hint and exit code of the same fault when a
 * command uses the database itself; null when it reports none.
 */
export function faultOfAnswer(answer: NodeAnswer, { url }: NodeAddress): OperatorError | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  return faultOfProblem(readProblem(answer), status, `${url.origin} answered ${status}.`);
}

/** The error that a problem reports; where it leaves something out, the status has to say it. */
export function faultOfProblem(
  problem: Readonly<Record<string, unknown>>,
  status: number,
  otherwise = 'The node refused it.',
): OperatorError {
  const code = text(problem.code) ?? `http_${status}`;
  const message = text(problem.detail) ?? text(problem.title) ?? otherwise;
  const hint = text(problem.hint) ?? hintOf(status);
  return new OperatorError({ code, message, hint, exitCode: exitCodeOf(problem, status) });
}

function readProblem({ headers, bytes }: NodeAnswer): Record<string, unknown> {
  if (!/^application\/(problem\+)?json\b/.test(headers['content-type'] ?? '')) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // cut off, or no problem at all: the status says enough
  }
}

function exitCodeOf({ exitCode }: Record<string, unknown>, status: number): ExitCode {
  const known = Object.values(exitCodes).find((code) => code === exitCode && code !== 0);
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return exitCodes.configuration;
  if (status === 429 || status === 412) return exitCodes.tryAgain;
  if (status === 502 || status === 503 || status === 504) return exitCodes.databaseAway;
  return status === 400 || status === 422 ? exitCodes.usage : exitCodes.failed;
}

function hintOf(status: number): string {
  if (status === 401) return 'Give a token: --token-file, STATECRON_TOKEN_FILE or STATECRON_TOKEN.';
  if (status === 403) return 'Ask for a token that may do this: statecron token --help';
  if (status === 404 || status === 405) return 'Check the URL, and that the node is no older.';
  return 'The log of that node has more.';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
