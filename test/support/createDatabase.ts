import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import type { Engine } from './startTestServer.ts';
import { testEngine } from './testEngine.ts';

/** What a database belongs to: a test's context, or `{ after }` of node:test for a whole file. */
export interface Scope {
  after(cleanUp: () => Promise<void>): void;
}

/**
 * Makes a fresh, empty database and drops it when its scope ends.
 * @returns its URL.
 */
export async function createDatabase(scope: Scope, engine: Engine = 'mariadb'): Promise<string> {
  const server = await testEngine(engine);
  const name = `statecron_test_${randomBytes(8).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  scope.after(() => run(server, `DROP DATABASE IF EXISTS ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function run(server: string, sql: string): Promise<void> {
  const connection = await mysql.createConnection(server);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}
