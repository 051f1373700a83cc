import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { ServerVersion } from '../system/serverVersion.ts';
import { parseServerVersion } from '../system/serverVersion.ts';
import type { ServerProcess } from './serverProcess.ts';
import { isRunning } from './serverProcess.ts';

/** The database that the private server holds for statecron. */
const PRIVATE_DATABASE = 'statecron';

const CONNECT_MS_MAX = 2_000;
const RETRY_MS = 20;
const REPORT_EVERY_MS = 5_000;

/** How everything else connects to a private server; the password may be given apart. */
export function privateUrl(socket: string, password: string | null = null): string {
  const query = `socketPath=${encodeURIComponent(socket)}`;
  const user = password === null ? 'root' : `root:${encodeURIComponent(password)}`;
  return `mysql://${user}@localhost/${PRIVATE_DATABASE}?${query}`;
}

/**
 * Waits until the server answers, then makes the database when it is missing, and root's password
 * when there is none yet: a new server's, and one of an earlier version. A server that recovers
 * from a crash answers late, so the bound is wide and the wait is reported.
 *
 * @throws OperatorError `database_start_failed` (exit 69) with the end of the server's own log.
 */
export async function connectPrivate(
  server: ServerProcess,
  wait: PrivateWait,
): Promise<ServerVersion> {
  const startedAt = performance.now();
  let nextReportMs = REPORT_EVERY_MS;
  for (;;) {
    wait.signal?.throwIfAborted();
    const answer = await prepareDatabase(server.socket, wait.password);
    if (!(answer instanceof Error)) return answer;
    const waitedMs = performance.now() - startedAt;
    if (!(await isRunning(server))) throw await failed('ended while it started', wait.log, answer);
    if (waitedMs > wait.withinMs || isFinal(answer)) {
      throw await failed(`does not let us in: ${answer.message}`, wait.log, answer);
    }
    if (waitedMs > nextReportMs) {
      nextReportMs += REPORT_EVERY_MS;
      wait.report(`The database is not ready yet (${Math.round(waitedMs / 1000)} s) …`);
    }
    await delay(RETRY_MS);
  }
}

interface PrivateWait {
  log: string;
  withinMs: number;
  /** Of root. */
  password: string;
  report: (line: string) => void;
  signal?: AbortSignal;
}

async function prepareDatabase(
  socketPath: string,
  password: string,
): Promise<ServerVersion | Error> {
  let connection: mysql.Connection | undefined;
  try {
    connection = await connectAsRoot(socketPath, password);
    const [rows] = await connection.query<mysql.RowDataPacket[]>({
      sql: '/* readServerVersion */ SELECT VERSION() AS version',
      timeout: CONNECT_MS_MAX,
    });
    await connection.query({
      sql:
        `/* createPrivateDatabase */ CREATE DATABASE IF NOT EXISTS ${PRIVATE_DATABASE} ` +
        'CHARACTER SET utf8mb4',
      timeout: CONNECT_MS_MAX * 5,
    });
    const version = parseServerVersion(String(rows[0]?.version));
    return version ?? new Error(`it calls itself ${String(rows[0]?.version)}`);
  } catch (error) {
    return error as Error;
  } finally {
    connection?.destroy();
  }
}

async function connectAsRoot(socketPath: string, password: string): Promise<mysql.Connection> {
  const options = { socketPath, user: 'root', connectTimeout: CONNECT_MS_MAX };
  try {
    return await mysql.createConnection({ ...options, password });
  } catch (error) {
    if ((error as { errno?: number }).errno !== DENIED) throw error;
  }
  const connection = await mysql.createConnection(options);
  try {
    await closeAccounts(connection, password);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Root's password comes last: until it is there, the next start does all of this again. */
async function closeAccounts(connection: mysql.Connection, password: string): Promise<void> {
  const [others] = await connection.query<mysql.RowDataPacket[]>(
    `/* readOpenAccounts */ SELECT User AS user, Host AS host FROM mysql.user
      WHERE User IN ('', 'root') AND NOT (User = 'root' AND Host = 'localhost')`,
  );
  for (const { host, user } of others) {
    await connection.query('/* dropOpenAccount */ DROP USER ?@?', [user, host]);
  }
  const setPassword = "/* setRootPassword */ ALTER USER 'root'@'localhost' IDENTIFIED BY ?";
  await connection.query(setPassword, [password]);
}

const DENIED = 1045;

/** 1045 and 1044: somebody gave root another password; waiting does not help. */
function isFinal(error: Error & { errno?: number }): boolean {
  return error.errno === DENIED || error.errno === 1044;
}

async function failed(what: string, log: string, cause: Error): Promise<OperatorError> {
  return new OperatorError({
    code: 'database_start_failed',
    message: `The private database server ${what}.\n${await logTail(log)}`,
    hint: `Read ${log}; the last lines stand above.`,
    exitCode: 69,
    cause,
  });
}

async function logTail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-15).join('\n').slice(-3_000);
}
