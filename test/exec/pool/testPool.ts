import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Execution } from '../../../src/domain/run/run.ts';
import { createPool, type ExecutionPool, type PoolOptions } from '../../../src/exec/pool/pool.ts';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';

/** Both ways to spawn; every fact about the pool is tested over both. */
export const spawnWays = ['launcher', 'direct'] as const;

export interface TestPool extends ExecutionPool {
  sessionId: string;
  request(command: string, more?: Partial<RunRequest>): RunRequest;
  runCommand(command: string, more?: Partial<RunRequest>): Promise<Execution>;
}

/** A pool of a session of its own; a fatal error fails the test by an unhandled throw. */
export function createTestPool(options: Partial<PoolOptions>): TestPool {
  const sessionId = options.sessionId ?? randomUUID();
  const onFatal = (error: Error) => {
    throw error;
  };
  const pool = createPool({ onFatal, ...options, sessionId });
  let launches = 0;
  const request = (command: string, more: Partial<RunRequest> = {}): RunRequest => {
    launches += 1;
    return { ...defaults, launchId: `${sessionId}:${launches}`, command, ...more };
  };
  const runCommand = (command: string, more?: Partial<RunRequest>) =>
    pool.run(request(command, more));
  return { ...pool, sessionId, request, runCommand };
}

const defaults: Omit<RunRequest, 'launchId' | 'command'> = {
  jobName: 'probe',
  nodeName: 'test-node',
  scheduledForMs: Date.UTC(2030, 0, 2, 3, 4, 5, 6),
  attempt: 2,
  env: {},
  cwd: null,
  stdin: null,
  timeoutMs: null,
  graceMs: 400,
  outputBytesMax: 65_536,
  leftovers: 'kill',
  ownership: null,
  care: null,
};

export function textOf(execution: Execution): string {
  return Buffer.from(execution.output).toString('utf8');
}

/** Zombies are dead: pid 1 of a container may take its time to reap them. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(')')));
  } catch {
    return false;
  }
}

/**
 * Runs with a time-out, and with ever longer ones while the job was not up before it: `isUp` is
 * asked when the run has ended. So a machine that starts a shell late costs time and no test.
 */
export async function timedOutWhenUp<T>(
  run: (timeoutMs: number) => Promise<T>,
  isUp: (execution: T) => unknown,
): Promise<{ execution: T; timeoutMs: number }> {
  for (let timeoutMs = 1_000; ; timeoutMs *= 4) {
    const execution = await run(timeoutMs);
    if (isUp(execution) || timeoutMs > 60_000) return { execution, timeoutMs };
  }
}

/** The numbers in a file, one a line, which a job appends its pids to; null as long as too few. */
export function pidsIn(file: string, count: number): number[] | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number);
    return lines.length >= count ? lines : null;
  } catch {
    return null; // Not written yet.
  }
}
