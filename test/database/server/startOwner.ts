import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import type {
  PrivateServer,
  PrivateServerOptions,
} from '../../../src/database/server/startPrivateServer.ts';
import { startPrivateServer } from '../../../src/database/server/startPrivateServer.ts';
import { OperatorError } from '../../../src/domain/errors/errors.ts';
import { engineCache } from '../../support/startTestServer.ts';

/** Downloaded once for all the tests, where no server is installed. */
export const engineDir = path.join(engineCache(), 'mariadb');

/** What the tests know of another process that owns a private server. */
export interface Owner {
  child: ChildProcess;
  url: string;
  /** Without the password. */
  shownUrl: string;
  /** The server's. */
  pid: number;
}

/** A new temporary folder; when the test ends, servers that run in it are killed and it is gone. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-database-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts a private server in this process; it is stopped when the test ends. */
export async function startHere(
  t: TestContext,
  dataDir: string,
  options: Partial<PrivateServerOptions> = {},
): Promise<PrivateServer & { lines: string[] }> {
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const server = await startPrivateServer({ dataDir, engineDir, report, ...options });
  t.after(() => server.stop());
  return Object.assign(server, { lines });
}

/** Starts a private server in another process, in a process group of its own like a shell's job. */
export async function startOwner(t: TestContext, dataDir: string): Promise<Owner> {
  const program = path.join(import.meta.dirname, 'fixtures/owner.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir, engineDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  const { url, shownUrl, pid } = JSON.parse(line) as Omit<Owner, 'child'>;
  t.after(() => killQuietly(pid));
  return { child, url, shownUrl, pid };
}

/** Kills another owner with SIGKILL and waits until it is gone; its server stays. */
export async function killOwner(owner: Owner): Promise<void> {
  const exited = once(owner.child, 'exit');
  owner.child.kill('SIGKILL');
  await exited;
}

/** One statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<mysql.RowDataPacket[]> {
  const connection = await mysql.createConnection(url);
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(sql);
    return rows;
  } finally {
    connection.destroy();
  }
}

/** Whether a process runs; a zombie does not. */
export async function runs(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && text.slice(text.lastIndexOf(')') + 2)[0] !== 'Z';
}

/** Waits until the condition holds; fails after the bound. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not: ${what}`);
    await delay(20);
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}

/** A validator for assert.rejects: the code, the exit code, and a hint there is. */
export function isOperatorError(code: string, exitCode: number): (error: unknown) => true {
  return (error) => {
    if (!(error instanceof OperatorError)) throw error;
    assert.equal(error.code, code);
    assert.equal(error.exitCode, exitCode);
    assert.notEqual(error.hint, '');
    return true;
  };
}
