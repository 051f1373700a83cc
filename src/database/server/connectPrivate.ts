import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { OperatorError } from '../../domain/errors/errors.ts';
import { parseServerVersion, type ServerVersion } from '../system/serverVersion.ts';
import { isRunning, type ServerProcess } from './serverProcess.ts';

/** The database that the private server holds for statecron. */
const privateDatabase = 'statecron';

const connectMsMax = 2_000;
const retryMs = 20;
const reportEveryMs = 5_000;

/** How everything else connects to a private server; the password may be given apart. */
export function privateUrl(socket: string, password: string | null = null): string {
  const query = `socketPath=${encodeURIComponent(socket)}`;
  const user = password === null ? 'root' : `root:${encodeURIComponent(password)}`;
  return `mysql://${user}@localhost/${privateDatabase}?${query}`;
}

/**
 * Waits until the server answers, which takes long after a crash, then makes the database, and
 * root's password when there is none yet (a new server, or one of an earlier version).
 * @throws OperatorError `database_start_failed` (exit 69) with the end of the server's own log.
 */
export async function connectPrivate(
  server: ServerProcess,
  wait: PrivateWait,
): Promise<ServerVersion> {
  const startedAt = performance.now();
  let nextReportMs = reportEveryMs;
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
      nextReportMs += reportEveryMs;
      wait.report(`The database is not ready yet (${Math.round(waitedMs / 1000)} s) …`);
    }
    await delay(retryMs);
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
    const read = '/* readServerVersion */ SELECT VERSION() AS version';
    const timeout = connectMsMax;
    const [rows] = await connection.query<mysql.RowDataPacket[]>({ sql: read, timeout });
    const create =
      `/* createPrivateDatabase */ CREATE DATABASE IF NOT EXISTS ${privateDatabase} ` +
      'CHARACTER SET utf8mb4';
    await connection.query({ sql: create, timeout: timeout * 5 });
    const name = String(rows[0]?.version);
    return parseServerVersion(name) ?? new Error(`it calls itself ${name}`);
  } catch (error) {
    return error as Error;
  } finally {
    connection?.destroy();
  }
}

async function connectAsRoot(socketPath: string, password: string): Promise<mysql.Connection> {
  const options = { socketPath, user: 'root', connectTimeout: connectMsMax };
  try {
    return await mysql.createConnection({ ...options, password });
  } catch (error) {
    if ((error as { errno?: number }).errno !== denied) throw error;
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

const denied = 1045;

/** 1045 and 1044: somebody gave root another password; waiting does not help. */
function isFinal(error: Error & { errno?: number }): boolean {
  return error.errno === denied || error.errno === 1044;
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
