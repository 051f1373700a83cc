import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { Execution } from '../../domain/run/run.ts';
import { programFile } from '../../shipped/shippedFiles.ts';
import { FencedError } from '../lease/fencedError.ts';
import { LauncherLostError } from '../lease/launcherLostError.ts';
import { journalSocket } from '../output/journalHelper.ts';
import { rightsOf, runnableUsers } from '../request/runOwnership.ts';
import type { RunRequest } from '../request/runRequest.ts';
import { sweepSession } from '../session/sessionSweep.ts';
import { OutputPeeks } from './outputPeeks.ts';
import { inheritedNames } from './planChild.ts';
import type {
  ControlMessage,
  NodeShare,
  StopReason,
  WorkerMessage,
  WorkerSetup,
} from './workerSetup.ts';

/** What is absent of `NodeShare` is none. */
export interface PoolOptions extends Partial<NodeShare> {
  sessionId: string;
  /** Worker threads, each with a launcher of its own. One starts about 1,000 children a second. */
  threads?: number;
  /** `auto`: the launcher where Perl is found, else Node's own spawn. */
  spawnWay?: 'auto' | 'launcher' | 'direct';
  /** Where the allow-listed variables of jobs come from; the process's own by default. */
  nodeEnv?: Record<string, string | undefined>;
  /** Searched for in the node's PATH by default. */
  bashPath?: string;
  /** journald's own by default. */
  journalPath?: string;
  /** A worker or its launcher is gone: what it ran is out of hand and the node must end. */
  onFatal: (error: Error) => void;
}

export interface PoolStats {
  /** Children that run now. */
  running: number;
  threads: number;
  spawnWay: 'launcher' | 'direct';
}

export interface ExecutionPool {
  /** All whom jobs may run as that name a user. */
  readonly users: readonly string[];
  /**
   * Runs one launch; resolves when nothing of its process tree lives any more.
   * @throws FencedError when the lease was over before the spawn, or the run was ended as fenced
   */
  run(request: RunRequest): Promise<Execution>;
  /** Ends a run: SIGTERM, grace, SIGKILL to its whole tree; `fenced`: SIGKILL at once. */
  stop(launchId: string, reason: StopReason): void;
  /** What a run has written so far, at most so much of the end; null: it does not run. */
  peek(launchId: string, bytesMax: number): Promise<LiveOutput | null>;
  stats(): PoolStats;
  /** Ends the threads, after `killEverything` when something still runs. */
  close(): Promise<void>;
  /**
   * Kills every process of the session at once, but for jobs that are to finish even so; no run
   * resolves any more, they reject as fenced.
   */
  killEverything(): Promise<void>;
}

const sweepMsMax = 10_000;
const closeMsMax = 10_000;

/** Makes the pool of worker threads that run the children. */
export function createPool(options: PoolOptions): ExecutionPool {
  const [setup, threads] = [setupOf(options), options.threads ?? 1];
  const spawnWay = setup.perlPath === null ? 'direct' : 'launcher';
  const { piscina, endThreads } = startThreads(setup, threads);
  const channel = new BroadcastChannel(setup.channelName).unref();
  const send = (message: ControlMessage) => channel.postMessage(message);
  const peeks = new OutputPeeks();
  piscina.on('message', (message: WorkerMessage) => peeks.handle(message));
  /** Runs under way, each with the reason of its requested end. */
  const running = new Map<string, StopReason | null>();
  let [ending, killed, isClosing] = [false, false, false];

  const fail = (error: unknown) => {
    if (ending) return;
    ending = true;
    halt(setup);
    options.onFatal(error instanceof Error ? error : new Error(String(error)));
  };
  watchWorkers(piscina, fail, () => {
    for (const [launchId, reason] of running) {
      if (reason !== null) send({ kind: 'run.end', launchId, reason });
    }
    if (isClosing) send({ kind: 'pool.close' });
  });

  const killEverything = async () => {
    [ending, killed] = [true, true];
    halt(setup);
    const { sessionId } = setup;
    await sweepSession({ sessionId, groups: new Map(), patienceMs: sweepMsMax, spares: true });
    // A launcher that is killed reports no end any more: the runs that wait for one reject here.
    await endThreads();
  };

  return {
    users: runnableUsers(rightsOf(setup.allowedUsers, setup.perlPath !== null)),
    async run(request) {
      const { launchId } = request;
      if (ending) throw new FencedError(launchId);
      running.set(launchId, null);
      try {
        const outcome: Execution | 'fenced' = await piscina.run(request);
        if (ending || outcome === 'fenced') throw new FencedError(launchId);
        return outcome;
      } catch (error) {
        if (ending) throw new FencedError(launchId);
        if (!(error instanceof FencedError)) fail(error);
        throw error;
      } finally {
        running.delete(launchId);
      }
    },
    stop(launchId, reason) {
      if (!running.has(launchId)) return;
      running.set(launchId, reason);
      send({ kind: 'run.end', launchId, reason });
    },
    peek: (launchId, bytesMax) =>
      running.has(launchId) ? peeks.peek(launchId, bytesMax, send) : Promise.resolve(null),
    stats: () => ({ running: running.size, threads, spawnWay }),
    async close() {
      if (running.size > 0) await killEverything();
      [ending, isClosing] = [true, true];
      if (!killed) await closeLaunchers(piscina, threads, () => send({ kind: 'pool.close' }));
      await endThreads();
      channel.close();
    },
    killEverything,
  };
}

/** `onReady`: a worker listens from now on; what was broadcast before is lost to it. */
function watchWorkers(piscina: Piscina, fail: (error: unknown) => void, onReady: () => void): void {
  piscina.on('error', fail);
  piscina.on('message', (message: WorkerMessage) => {
    if (message.kind === 'worker.ready') onReady();
    if (message.kind !== 'launcher.ended') return;
    fail(message.how === null ? new FencedError(null) : new LauncherLostError(message.how));
  });
  // The thread's own error, where there is one, follows in the same turn and is more precise.
  piscina.on('workerDestroy', () => {
    setImmediate(fail, new Error('A worker thread of the pool has ended.'));
  });
}

function setupOf(options: PoolOptions): WorkerSetup {
  const nodeEnv = options.nodeEnv ?? process.env;
  const path = nodeEnv.PATH ?? process.env.PATH ?? '';
  const spawnWay = options.spawnWay ?? 'auto';
  const perlPath = spawnWay === 'direct' ? null : findProgram('perl', path);
  if (spawnWay === 'launcher' && perlPath === null) throw new Error('There is no perl in PATH.');
  return {
    channelName: `statecron.pool.${randomUUID()}`,
    sessionId: options.sessionId,
    nodeEnv: Object.fromEntries(inheritedNames.map((name) => [name, nodeEnv[name]])),
    bashPath: options.bashPath ?? findProgram('bash', path) ?? '/bin/bash',
    allowedUsers: options.allowedUsers ?? [],
    perlPath,
    journalPath: options.journalPath ?? journalSocket,
    leaseFd: options.leaseFd ?? null,
    halt: new SharedArrayBuffer(4),
    guardianFd: options.guardianFd ?? null,
  };
}

function startThreads(setup: WorkerSetup, threads: number) {
  const piscina = new Piscina({
    filename: fileURLToPath(programFile('src/exec/pool/worker.ts')),
    workerData: setup,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 100_000,
    // With atomics an idle worker sleeps outside its event loop and would get no other message.
    atomics: 'disabled',
    recordTiming: false,
    // Output pipes are opened as numbers and closed by the sockets that take them over.
    trackUnmanagedFds: false,
  });
  let ended: Promise<void> | null = null;
  /** Once: Piscina starts a thread anew for one that exits after a second call has returned. */
  const endThreads = () => {
    ended ??= piscina.destroy();
    return ended;
  };
  return { piscina, endThreads };
}

/** On this request a launcher ends without killing; one that loses its worker kills all. */
async function closeLaunchers(piscina: Piscina, threads: number, send: () => void): Promise<void> {
  let left = threads;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, closeMsMax);
    piscina.on('message', (message: WorkerMessage) => {
      if (message.kind === 'worker.closed') left -= 1;
      if (left > 0) return;
      clearTimeout(timer);
      resolve();
    });
    send();
  });
}

function halt(setup: WorkerSetup): void {
  Atomics.store(new Int32Array(setup.halt), 0, 1);
}

function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter((each) => each !== '')) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
