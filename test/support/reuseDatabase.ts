import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import {
  createMigratedDatabase,
  dropDatabase,
  fillTables,
  readDefinition,
  type Scope,
  type TemplateTable,
  useTemplate,
  withConnection,
} from './createDatabase.ts';
import type { Engine } from './startTestServer.ts';
import { fileScope, testEngine } from './testEngine.ts';

/** What this process has made and nobody uses, by server. */
const unusedOf = new Map<string, string[]>();
const drops: (() => Promise<void>)[] = [];

/**
 * A migrated database, as new: of one that an earlier test of this process had the rows are put
 * back, which takes the server a fraction of the time of making it. One that somebody is still
 * connected to when it is wanted again, or whose tables are not what they were, is never used
 * again; so whoever uses one must have ended all its processes and nodes when its scope ends.
 * @returns its URL.
 */
export async function reuseDatabase(scope: Scope, engine: Engine): Promise<string> {
  const server = await testEngine(engine);
  const unused = unusedOf.get(server) ?? [];
  unusedOf.set(server, unused);
  const url = (await takeUnused(server, unused)) ?? (await createMigratedDatabase(kept, engine));
  // Not put back here: connections may be closed by later clean-ups of the scope.
  scope.after(async () => void unused.push(url));
  return url;
}

/**
 * Dropped at the end of the first file: one that is run by hand may be on a server that stays. What
 * later files of a lane make ends with the servers of the run.
 */
const kept: Scope = {
  after: (drop) => {
    if (drops.push(drop) === 1) fileScope.after(dropAll);
  },
};

async function dropAll(): Promise<void> {
  unusedOf.clear();
  for (const drop of drops) await drop();
}

async function takeUnused(server: string, unused: string[]): Promise<string | undefined> {
  const tables = await useTemplate(server);
  for (let url = unused.shift(); url !== undefined; url = unused.shift()) {
    const name = new URL(url).pathname.slice(1);
    const isAsNew = await withConnection(server, async (connection) => {
      if (await isInUse(connection, name)) return false; // dropped later, or with its server
      if (await putBack(connection, name, tables)) return true;
      await dropDatabase(connection, name);
      return false;
    });
    if (isAsNew) return url;
  }
  return undefined;
}

/** A server may learn a little later than we that a connection is closed. */
const closedMsMax = 1_000;

async function isInUse(connection: Connection, name: string): Promise<boolean> {
  const selectUsers = 'SELECT 1 FROM information_schema.processlist WHERE db = ? LIMIT 1';
  const began = performance.now();
  for (;;) {
    const [users] = await connection.query<RowDataPacket[]>(selectUsers, [name]);
    if (users.length === 0) return false;
    if (performance.now() - began > closedMsMax) return true;
    await delay(20);
  }
}

/** With more a table is sooner dropped. */
const rowsMax = 1_000;

/** Whether the database is as new; false: it is to be dropped. */
async function putBack(
  connection: Connection,
  name: string,
  tables: readonly TemplateTable[],
): Promise<boolean> {
  await connection.query(`USE ${name}`);
  const counted = await readCounted(connection, tables);
  if (counted === null) return false;
  const deleted = await queryAll<ResultSetHeader>(connection, [
    'START TRANSACTION',
    ...tables.map((table) => `DELETE FROM ${table.name} LIMIT ${rowsMax}`),
    'COMMIT',
  ]);
  if (deleted.some(({ affectedRows }) => affectedRows === rowsMax)) return false;
  await queryAll(connection, [
    ...counted.map((table) => `ALTER TABLE ${table} AUTO_INCREMENT = 1`),
    ...fillTables(tables),
  ]);
  await forgetStatistics(connection, name, tables);
  return true;
}

/** The tables whose AUTO_INCREMENT has gone on; null: there is anything else than was made. */
async function readCounted(
  connection: Connection,
  tables: readonly TemplateTable[],
): Promise<string[] | null> {
  const [names, triggers] = await queryAll<RowDataPacket[]>(connection, [
    'SHOW TABLES',
    'SHOW TRIGGERS',
  ]);
  const found = new Set(names?.map((row) => String(Object.values(row)[0])));
  if (triggers?.length !== 0 || found.size !== tables.length) return null;
  if (tables.some((table) => !found.has(table.name))) return null;
  const shown = await queryAll<RowDataPacket[]>(
    connection,
    tables.map((table) => `SHOW CREATE TABLE ${table.name}`),
  );
  const definitions = shown.map(readDefinition);
  if (tables.some(({ definition }, place) => definition !== definitions[place]?.text)) return null;
  return tables.filter((_, place) => definitions[place]?.isCounted).map((table) => table.name);
}

/** As a new table has none, by which statements would be planned in another way. */
async function forgetStatistics(
  connection: Connection,
  name: string,
  tables: readonly TemplateTable[],
): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT table_name AS name FROM mysql.innodb_table_stats
     WHERE database_name = ? AND n_rows > 0`,
    [name],
  );
  const known = new Set(rows.map((row) => String(row.name)));
  const stale = tables.filter((table) => !table.hasRows && known.has(table.name));
  if (stale.length > 0) await connection.query(`ANALYZE TABLE ${stale.map((t) => t.name).join()}`);
}

/** Of at least two statements, each without parameters. */
async function queryAll<T>(connection: Connection, statements: readonly string[]): Promise<T[]> {
  const [results] = await connection.query(statements.join(';'));
  return results as T[];
}
