import {
  type ExitCode,
  exitCodes,
  FieldError,
  type FieldFault,
  OperatorError,
} from '../../domain/errors/errors.ts';
import type { NodeAddress, NodeAnswer } from './sendRequest.ts';

/** A fault of the node, of its database or of a proxy before it that will pass. */
export function isPassing({ code, exitCode }: OperatorError): boolean {
  if (code === 'too_many_failures' || code === 'revision_changed') return false;
  if (code === 'idempotency_held') return true;
  return exitCode === exitCodes.databaseAway || exitCode === exitCodes.tryAgain;
}

/** No pause makes a certificate another one. */
export function isOfEncryption(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return /SSL|CERT|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(String(code));
}

/** What answers there speaks something else, as a database does. */
export function isForeign(error: Error): boolean {
  return /^HPE_/.test(String((error as { code?: unknown }).code));
}

/** What answers there is something else. */
function notStatecron(message: string, hint: string, cause: unknown): OperatorError {
  const { configuration: exitCode } = exitCodes;
  return new OperatorError({ code: 'api_answer', message, hint, exitCode, cause });
}

function notHttp({ origin }: URL, cause: Error): OperatorError {
  return notStatecron(
    `What answers at ${origin} is not the API of a node: it does not speak HTTP.`,
    'Check host and port; a database is named by STATECRON_DATABASE_URL or --database-url.',
    cause,
  );
}

/** The node does not answer, and nothing can have been done. */
export function nodeAway({ url }: NodeAddress, cause: Error): OperatorError {
  const isEncryption = isOfEncryption(cause);
  // What the other side began with is no TLS: certificates have nothing to do with it.
  const isPlain = isEncryption && /wrong.version.number|packet.length.too.long/i.test(`${cause}`);
  if (isForeign(cause)) return notHttp(url, cause);
  const detail = cause.message || 'it does not answer';
  return new OperatorError({
    code: isEncryption ? 'api_encryption' : 'api_away',
    message: isPlain
      ? `What answers at ${url.origin} does not speak TLS: ${detail}.`
      : `The node at ${url.origin} cannot be reached: ${detail}.`,
    hint: isPlain
      ? `Use http://${url.host}, or give the node a certificate: --http-cert, --http-key.`
      : isEncryption
        ? 'Give the authority of its certificate with --tls-ca FILE.'
        : 'Check that a node runs there with --http, or use another one: --url',
    exitCode: isEncryption ? exitCodes.configuration : exitCodes.databaseAway,
    cause,
  });
}

export function notJson({ url }: NodeAddress, cause: unknown): OperatorError {
  return notStatecron(
    `What answers at ${url.origin} is not the API of a node: its answer is no JSON.`,
    'Check the URL; a path before /api/v1 belongs to it.',
    cause,
  );
}

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
  const missing = text(problem.missing) ?? undefined;
  const fault = { code, message, hint, exitCode: exitCodeOf(problem, status), missing };
  const errors = fieldFaults(problem.errors);
  return errors.length === 0 ? new OperatorError(fault) : new FieldError({ ...fault, errors });
}

function fieldFaults(errors: unknown): FieldFault[] {
  return (Array.isArray(errors) ? errors : []).flatMap((each) => {
    const [field, message] = [text(each?.field), text(each?.message)];
    return field === null || message === null ? [] : [{ field, message }];
  });
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
  if (status === 403) return 'Use a token that may do this: statecron token --help';
  if (status === 404 || status === 405) return 'Check the URL, and that the node is no older.';
  return 'The log of that node has more.';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether what was refused may have been done by an earlier try whose answer was lost. */
export function isRepeatedFault(error: unknown): boolean {
  return error instanceof Error && repeated.has(error);
}

/** Notes of an error that an earlier try of the same request may have been done. */
export function noteRepeated(error: Error): void {
  repeated.add(error);
}

const repeated = new WeakSet<Error>();

/** What is read, or null when the answer is that there is none. */
export async function orMissing<T>(code: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OperatorError && error.code === code) return null;
    throw error;
  }
}

/**
 * Reads and changes what was read; anew when somebody else changed it in between, but not for ever.
 * @throws what `attempt` throws.
 */
export async function changeUnlessChanged<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isChanged = error instanceof OperatorError && error.code === 'revision_changed';
      if (tries >= triesMax || !isChanged) throw error;
    }
  }
}

const triesMax = 10;
