import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  killChecked,
  type ProcessEntry,
  readProcess,
  scanProcesses,
} from '../../src/exec/process/processTree.ts';
import { sweepSession } from '../../src/exec/session/sessionSweep.ts';
import type { Row } from '../../src/store/connection/channel.ts';
import type { Scope } from '../support/createDatabase.ts';
import { programArgs } from '../support/program.ts';
import type { StoreWorld } from '../support/storeWorld.ts';
import { until, within } from '../support/until.ts';

/** A guardian with its node, as an operator starts them. */
export interface NodeProcess {
  readonly name: string;
  readonly guardian: ChildProcess;
  /** Exit code and signal of the guardian; fails when it does not end within a minute. */
  exited(): Promise<[number | null, string | null]>;
  /** What both have said on stderr. */
  log(): string;
  /** The live session of the name, when it is there and is not the one before. */
  session(before?: LiveSession): Promise<LiveSession>;
}

export interface LiveSession {
  readonly sessionId: string;
  /** The node process, which is the guardian's child. */
  readonly pid: number;
}

/**
 * For what waits for no TTL: where a machine stands still for some seconds, no lease is over and no
 * answer of the database is given up, which would begin a launch anew.
 */
export const patient = ['--session-ttl', '45s'] as const;

/** For what waits for the end of a lease, which is two seconds before the TTL. */
export const shortLived = ['--session-ttl', '10s'] as const;

/**
 * Of all: it costs no session where a machine stands still for some seconds, and the code of an API
 * that nobody asks takes half of a node's start.
 */
const usual = ['--session-ttl', '15s', '--threads', '1', '--http', 'off'] as const;

/** On a machine that is busy a guardian and its node take long to start. */
const joinMsMax = 120_000;

/**
 * Starts `statecron node`; whatever becomes of it, nothing of it outlives the scope. `started`: the
 * command by which it is started, of which it may be a child.
 */
export function startNodeProcess(
  scope: Scope,
  world: StoreWorld,
  name: string,
  args: readonly string[] = [],
  url: string = world.url,
  env: Readonly<Record<string, string>> = {},
  started: (command: readonly string[]) => readonly string[] = (command) => command,
): NodeProcess {
  const node = [process.execPath, ...programArgs(), 'node', '--name', name];
  const [program = '', ...rest] = started([...node, ...usual, ...args]);
  const guardian = spawn(program, rest, {
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: os.tmpdir(),
      STATECRON_DATABASE_URL: url,
      STATECRON_SPOOL: spoolRootOf(world),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(guardian, 'exit') as ReturnType<NodeProcess['exited']>;
  let log = '';
  guardian.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  scope.after(() => endAll(world, guardian, exited));
  return {
    name,
    guardian,
    exited: () => within(`${name} has ended: ${log}`, exited, 60_000),
    log: () => log,
    session: async (before) => {
      const look = async () => {
        const [live] = await world.rows(selectLive, [name]);
        return live !== undefined && live.session_id !== before?.sessionId && live;
      };
      const row = await until<Row>(`a live session of ${name}`, look, joinMsMax);
      return { sessionId: row.session_id as string, pid: row.process_id as number };
    },
  };
}

/** Below it all nodes of a world keep what they cannot write to the database. */
export function spoolRootOf(world: Pick<StoreWorld, 'url'>): string {
  // Servers of their own have databases of the same name.
  const { pathname, port } = new URL(world.url);
  return path.join(os.tmpdir(), `statecron-spool-${port}-${pathname.slice(1)}`);
}

/** Everything alive that carries the mark of a session: children, grandchildren, launchers. */
export function processesOf(sessionId: string): ProcessEntry[] {
  const scan = scanProcesses();
  return scan.entries.filter(({ pid }) => scan.markOf(pid)?.startsWith(`${sessionId}:`) === true);
}

/** The process that starts the children of a node; there is one as soon as it has run something. */
export function launcherOf({ sessionId, pid }: LiveSession): number {
  const { childrenOf, markOf } = scanProcesses();
  const launcher = childrenOf
    .get(pid)
    ?.find((child) => markOf(child.pid) === `${sessionId}:launcher`);
  assert.ok(launcher, `${pid} has a launcher`);
  return launcher.pid;
}

export const isAlive = (pid: number): boolean => readProcess(pid) !== null;

/** Lets it go on after SIGSTOP, unless it has ended meanwhile. */
export function resume(pid: number): void {
  const entry = readProcess(pid);
  if (entry !== null) killChecked(entry, 'SIGCONT');
}

/**
 * Kills by pid what is left: the guardian first, so that it starts no other node. A node is known
 * by the spool in its environment, which is of this world alone and which no child is told.
 */
async function endAll(
  world: StoreWorld,
  guardian: ChildProcess,
  exited: Promise<unknown>,
): Promise<void> {
  if (guardian.exitCode === null && guardian.signalCode === null) guardian.kill('SIGKILL');
  await exited;
  for (const { pid } of scanProcesses().entries) {
    if (isNodeOf(world, pid)) process.kill(pid, 'SIGKILL');
  }
  for (const { session_id: sessionId } of await world.rows('SELECT session_id FROM session')) {
    await sweepSession({ sessionId, groups: new Map(), patienceMs: 2_000 });
  }
  rmSync(spoolRootOf(world), { recursive: true, force: true });
}

function isNodeOf(world: StoreWorld, pid: number): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    const spool = `STATECRON_SPOOL=${spoolRootOf(world)}`;
    return environment.some((entry) => entry === spool || entry.startsWith(`${spool}/`));
  } catch {
    return false; // it has just ended
  }
}

const selectLive = "SELECT * FROM session WHERE node_name = ? AND state = 'live'";
