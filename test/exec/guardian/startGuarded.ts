import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scanProcesses } from '../../../src/exec/process/processTree.ts';
import { sweepSession } from '../../../src/exec/session/sessionSweep.ts';
import { fixtureArgs } from '../../support/fixtureArgs.ts';
import { until } from '../../support/until.ts';
import { isAlive, pidsIn } from '../pool/testPool.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

export interface Guarded {
  /** Of its files. */
  folder: string;
  guardian: ChildProcess;
  exited: Promise<[number | null, string | null]>;
  nodePid: number;
  children: number[];
  sessionId: string;
  log: () => string;
}

const started: Guarded[] = [];

/** Ends whatever the tests before have started. */
export async function endGuarded(): Promise<void> {
  for (const { folder, guardian, nodePid, sessionId } of started.splice(0)) {
    if (guardian.exitCode === null) guardian.kill('SIGKILL');
    if (nodePid > 0 && isAlive(nodePid)) process.kill(nodePid, 'SIGKILL');
    await sweepSession({ sessionId, groups: new Map(), patienceMs: 2_000 });
    rmSync(folder, { recursive: true });
  }
}

/** A guardian and its node, whose children (each with a grandchild by setsid) are up. */
export async function startGuarded(
  count: number,
  { plan = 'serve', onFenced = 'restart', spawnWay = 'launcher' } = {},
): Promise<Guarded> {
  const sessionId = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  const file = join(folder, 'pids');
  const node = [process.execPath, ...fixtureArgs(fixture('node.ts')), sessionId, file];
  const guard = fixtureArgs(fixture('guardian.ts'));
  const args = [...guard, onFenced, ...node, `${count}`, plan];
  const env = { ...process.env, SPAWN_WAY: spawnWay };
  const guardian = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const exited = once(guardian, 'exit') as Promise<[number | null, string | null]>;
  const log = () => {
    try {
      return readFileSync(`${file}.log`, 'utf8');
    } catch {
      return ''; // Not written yet.
    }
  };
  const guarded: Guarded = { folder, guardian, exited, nodePid: 0, children: [], sessionId, log };
  started.push(guarded);
  if (plan === 'misconfigured') return guarded;
  guarded.nodePid = await until('the node is up', () => nodePidIn(log()), 60_000);
  if (count > 0) {
    const pids = count * (plan === 'rest' ? 1 : 3);
    guarded.children = await until('the children are up', () => pidsIn(file, pids), 60_000);
  }
  return guarded;
}

const nodePidIn = (log: string) => Number(/node (\d+)/.exec(log)?.[1] ?? 0) || null;

/** The session's launchers, without the children that they have forked ahead. */
export function launchersOf(sessionId: string): number[] {
  const { entries, markOf } = scanProcesses();
  const mark = `${sessionId}:launcher`;
  return entries
    .filter(({ pid, parentPid }) => markOf(pid) === mark && markOf(parentPid) !== mark)
    .map(({ pid }) => pid);
}
