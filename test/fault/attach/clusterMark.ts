import os from 'node:os';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { requireDatabase } from '../../../src/cli/connect/readDatabase.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { refusal } from './refusal.ts';

/**
 * The URL that was given, else that of the environment or of a running `statecron up`.
 * @throws OperatorError (78) when there is none
 */
export async function resolveUrl(given: string | null): Promise<string> {
  const found = await requireDatabase(given === null ? {} : { databaseUrl: given });
  checkUrl(found.url);
  const url = new URL(found.url);
  if (found.password !== null) url.password = encodeURIComponent(found.password);
  return url.href;
}

function checkUrl(url: string): void {
  const { hosts, options } = readDatabaseUrl(url);
  if (hosts.length > 1 || options.ssl !== undefined) {
    throw refusal(
      'url_of_many',
      'The URL names several hosts, or TLS.',
      'Give that of one server, without TLS: the operations go through a proxy.',
    );
  }
}

/**
 * One run at a time, and none while a cluster is unmarked.
 * @throws OperatorError (78) while another one goes on
 */
export async function holdCluster(url: string, scope: Scope): Promise<void> {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 5_000 });
  connection.on('error', () => undefined); // a fault may kill it, with others of its account
  scope.after(async () => connection.destroy());
  await connection.query('SET wait_timeout = 604800');
  const [rows] = await connection.query<RowDataPacket[]>(takeLock);
  if (rows[0]?.taken === 1) return;
  throw refusal('run_under_way', 'A run of faults goes on in this cluster.', 'Wait until it ends.');
}

const takeLock = "SELECT GET_LOCK(LEFT(CONCAT('fault ', DATABASE()), 64), 0) AS taken";

/**
 * Marks a cluster as one to break.
 * @param name of its database, said once more by whoever marks it
 * @throws OperatorError (78) when the URL leads to another database
 */
export async function markCluster(given: string | null, name: string): Promise<void> {
  const url = await resolveUrl(given);
  const { database } = readDatabaseUrl(url).options;
  if (name !== database) {
    throw refusal(
      'other_database',
      `--mark ${name}: the URL leads to the database ${database}.`,
      `If that is to be broken: --mark ${database}`,
    );
  }
  await withConnection(url, async (connection) => {
    await connection.query(makeMark);
    await connection.query('REPLACE INTO fault_mark VALUES (1, NOW(), ?)', [whoMarks()]);
  });
}

/** Takes the mark away. */
export async function unmarkCluster(url: string): Promise<void> {
  await withConnection(url, (connection) => connection.query('DROP TABLE IF EXISTS fault_mark'));
}

/** @throws OperatorError (78) when nobody has marked the cluster as one to break */
export async function requireMark(url: string): Promise<void> {
  const isMarked = await withConnection(url, async (connection) => {
    const [tables] = await connection.query<RowDataPacket[]>("SHOW TABLES LIKE 'fault_mark'");
    if (tables.length === 0) return false;
    const [marks] = await connection.query<RowDataPacket[]>('SELECT 1 FROM fault_mark');
    return marks.length > 0;
  });
  if (isMarked) return;
  const { options, shown } = readDatabaseUrl(url);
  throw refusal(
    'not_marked',
    `The cluster of ${shown} is not marked as one to break.`,
    'In a run its jobs are changed and its nodes killed. If they may be: ' +
      `npm run fault -- --mark ${options.database}`,
  );
}

export async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 5_000 });
  connection.on('error', () => undefined); // the next statement says it
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}

const whoMarks = (): string => `${os.userInfo().username}@${os.hostname()}`;

const makeMark = `CREATE TABLE IF NOT EXISTS fault_mark (
  mark_no TINYINT NOT NULL PRIMARY KEY,
  marked_at DATETIME NOT NULL,
  marked_by VARCHAR(255) NOT NULL
) ENGINE = InnoDB`;
