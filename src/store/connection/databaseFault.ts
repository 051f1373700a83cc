import { type ExitCode, exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { classifyError, type ErrorKind } from './classifyError.ts';
import { migrateHint } from './grantStatement.ts';

/**
 * Says an error of the driver in an operator's words, with the exit code for it; null when it is
 * none of the driver's, or one that nobody but a programmer can act on (a statement that is wrong).
 */
export function databaseFault(error: unknown): OperatorError | null {
  if (!(error instanceof Error)) return null;
  const kind = classifyError(error);
  if (kind === 'denied') return makeFault(faultOfDenied(error), error);
  if (kind !== 'unknown') return makeFault(faultOfKind[kind], error);
  const { code, errno, syscall } = error as Partial<NodeJS.ErrnoException>;
  if (typeof code !== 'string') return null;
  if (code === 'ER_BAD_DB_ERROR') return makeFault(noDatabase, error);
  if (/SSL|CERT|TLS|SELF_SIGNED/.test(code)) return makeFault(badEncryption, error);
  if (typeof errno === 'number' && errno > 1_000 && errno < 2_000 && errno !== 1_053) return null;
  const isOfFiles = syscall !== undefined && !ofSockets.has(syscall);
  return awayCode.test(code) && !isOfFiles ? makeFault(faultOfKind.contact, error) : null;
}

/** True when nothing can have been done: never connected, or the COMMIT was never sent. */
export function wasNeverSent(error: Error): boolean {
  if (notDone.has(error)) return true;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // A name with several addresses fails with one error for all, which names no system call.
  return syscall === 'connect' || syscall === 'getaddrinfo' || unreached.has(String(code));
}

const unreached = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);

interface FaultText {
  readonly code: string;
  readonly what: string;
  readonly hint: string;
  readonly exitCode: ExitCode;
}

const ofSockets: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/** Of the system (EAI_AGAIN: the resolver has no answer now), of the driver, of the server. */
const awayCode = /^(E(?!RR?_)[A-Z_]+|PROTOCOL_.*|HANDSHAKE_.*|ER_SERVER_SHUTDOWN|ER_NET_.*)$/;

const noDatabase: FaultText = {
  code: 'database_missing',
  what: 'There is no such database on the server',
  hint: 'Create it (CREATE DATABASE … CHARACTER SET utf8mb4), then run: statecron migrate',
  exitCode: exitCodes.configuration,
};

const badEncryption: FaultText = {
  code: 'database_encryption',
  what: 'The encrypted connection to the database was refused',
  hint: 'Give its authority with ?sslCa=FILE in the URL, or ?ssl=unverified to encrypt only.',
  exitCode: exitCodes.configuration,
};

const away: FaultText = {
  code: 'database_away',
  what: 'The database cannot be reached, or cannot be written to now',
  hint: 'Check that it runs, that the URL is right, and that this machine can reach it.',
  exitCode: exitCodes.databaseAway,
};

const refused: FaultText = {
  code: 'database_denied',
  what: 'The database refused the login',
  hint: 'Check user and password, and if it wants TLS; see: statecron docs production',
  exitCode: exitCodes.configuration,
};

const withoutRight: FaultText = {
  ...refused,
  what: 'This account lacks a right on the database',
  hint: 'Ask the doctor which rights it lacks: statecron doctor; see: statecron docs production',
};

/** The numbers of the server for a login that is right, and an account that may not do this. */
const lackingRight: ReadonlySet<unknown> = new Set([1044, 1142]);

/** What the server says was not given, or is not there for this account. */
function faultOfDenied(error: Error): FaultText {
  const { errno, message } = error as NodeJS.ErrnoException;
  if (lackingRight.has(errno)) {
    const [, database] = / to database '(.*)'$/.exec(message) ?? [];
    if (database === undefined) return withoutRight;
    const named = `The URL names the database ${JSON.stringify(database)}`;
    const hint = `${named}: is it there, and has this account rights on it?`;
    return { ...withoutRight, hint: `${hint} See: statecron docs production` };
  }
  if (message.includes('(using password: NO)')) {
    const hint =
      'No password was given: name a file with it in STATECRON_DATABASE_PASSWORD_FILE, or write ' +
      'it in the URL.';
    return { ...refused, hint };
  }
  const [, user, host] = /'([^']*)'@'([^']*)' \(using password: YES\)/.exec(message) ?? [];
  return host === undefined ? refused : { ...refused, hint: hintOfHost(user, host) };
}

/** The server takes the account whose host is the most exact, whatever its user is. */
function hintOfHost(user = '', host: string): string {
  return (
    `Check user and password, and if it wants TLS. An account for ${host} alone, or an anonymous ` +
    `one (''@'${host}'), is taken before '${user}'@'%': see SELECT user, host FROM mysql.user`
  );
}

const faultOfKind: Record<Exclude<ErrorKind, 'unknown' | 'denied'>, FaultText> = {
  contact: away,
  crowded: { ...away, code: 'database_crowded', what: 'The database has no connection left' },
  full: {
    code: 'database_full',
    what: 'The database has no room left',
    hint: 'Free space on the database machine; nothing was changed.',
    exitCode: exitCodes.failed,
  },
  retry: {
    code: 'database_busy',
    what: 'The database was too busy with the same rows',
    hint: 'Try again; when it stays so, look for a transaction that hangs (SHOW PROCESSLIST).',
    exitCode: exitCodes.tryAgain,
  },
  schema: {
    code: 'schema_older',
    what: 'The database does not have this version’s tables',
    hint: migrateHint,
    exitCode: exitCodes.configuration,
  },
};

function makeFault(text: FaultText, cause: Error): OperatorError {
  const { code, what, hint, exitCode } = text;
  const detail = (cause.message || (cause as { code?: string }).code) ?? 'no detail';
  return new OperatorError({ code, message: `${what}: ${detail}.`, hint, exitCode, cause });
}

const notDone = new WeakSet<Error>();

/**
 * Notes of an error that it came before anything could be made durable: the connection was not
 * there yet, or the COMMIT had not been sent. Then the outcome that it ends in is in truth a no,
 * and even what must not be done twice may be tried again.
 */
export function noteNotDone(error: unknown): void {
  if (error instanceof Error) notDone.add(error);
}
