import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Execution } from '../domain/run.ts';
import { createDirectSpawner } from './directSpawner.ts';
import { writeGuardianLines } from './guardianLines.ts';
import { createLauncherSpawner } from './launcherSpawner.ts';
import type { RunRequest } from './runRequest.ts';
import { type EndReason, RunSupervisor, type SupervisorTools } from './runSupervisor.ts';
import { TreeWarden } from './treeWarden.ts';
import type { ControlMessage, WorkerMessage, WorkerSetup } from './workerSetup.ts';

/** A stop can overtake the run it is for, which comes another way. Launch ids never come again. */
const earlyEndsMax = 4096;

/** Runs launches in one worker thread of the pool. */
class LaunchRunner {
  readonly #setup: WorkerSetup;
  readonly #tools: SupervisorTools;
  readonly #running = new Map<string, RunSupervisor>();
  readonly #earlyEnds = new Map<string, EndReason>();
  #lines: string[] = [];

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
    const spawner =
      setup.perlPath === null
        ? createDirectSpawner({ bashPath: setup.bashPath })
        : createLauncherSpawner({ ...setup, perlPath: setup.perlPath, onLost: throwUnless(setup) });
    this.#tools = {
      spawner,
      warden: new TreeWarden(() => spawner.strays(), throwLater),
      nodeEnv: setup.nodeEnv,
      rights: {
        allowedUsers: setup.allowedUsers,
        isRoot: process.getuid?.() === 0,
        canBecome: spawner.becomesUsers,
      },
      leaseDeadlineMs: deadlineReader(setup),
      report: {
        group: (pid, ticks, launchId) => this.#report(`group ${pid} ${ticks} ${launchId}`),
        gone: (pid) => this.#report(`gone ${pid}`),
      },
    };
    const channel = new BroadcastChannel(setup.channelName);
    channel.onmessage = (event) => this.#control((event as { data: ControlMessage }).data);
    channel.unref();
    parentPort?.postMessage({ kind: 'worker.ready' } satisfies WorkerMessage);
  }

  async run(request: RunRequest): Promise<Execution | 'fenced'> {
    const { launchId } = request;
    const early = this.#earlyEnds.get(launchId);
    const supervisor = new RunSupervisor(request, this.#tools);
    this.#running.set(launchId, supervisor);
    if (early !== undefined) supervisor.end(early);
    try {
      return await supervisor.done;
    } finally {
      this.#running.delete(launchId);
      this.#earlyEnds.delete(launchId);
    }
  }

  #control(message: ControlMessage): void {
    if (message.kind === 'pool.close') {
      this.#tools.spawner.close().then(() => {
        parentPort?.postMessage({ kind: 'worker.closed' } satisfies WorkerMessage);
      }, throwLater);
      return;
    }
    const supervisor = this.#running.get(message.launchId);
    if (message.kind === 'run.peek') {
      if (supervisor === undefined) return;
      const { bytesMax } = message;
      const live = supervisor.liveOutput(bytesMax);
      parentPort?.postMessage({ kind: 'run.output', live, bytesMax } satisfies WorkerMessage);
      return;
    }
    if (supervisor !== undefined) {
      supervisor.end(message.reason);
      return;
    }
    this.#earlyEnds.set(message.launchId, message.reason);
    const [oldest] = this.#earlyEnds.keys();
    if (this.#earlyEnds.size > earlyEndsMax && oldest !== undefined) {
      this.#earlyEnds.delete(oldest);
    }
  }

  /** Lines of one batch from the launcher go to the guardian in one write, before anything else. */
  #report(line: string): void {
    const { guardianFd } = this.#setup;
    if (guardianFd === null) return;
    this.#lines.push(line);
    if (this.#lines.length > 1) return;
    queueMicrotask(() => {
      const lines = this.#lines;
      this.#lines = [];
      writeGuardianLines(guardianFd, lines);
    });
  }
}

function deadlineReader(setup: WorkerSetup): () => number | null {
  const halt = new Int32Array(setup.halt);
  const deadline = setup.leaseDeadline === null ? null : new Float64Array(setup.leaseDeadline);
  return () => {
    if (Atomics.load(halt, 0) === 1) return 0;
    return deadline === null ? null : (deadline[0] ?? 0);
  };
}

/** Where everything is being killed, a launcher that ends is no news. */
function throwUnless(setup: WorkerSetup): (error: Error) => void {
  const halt = new Int32Array(setup.halt);
  return (error) => {
    if (Atomics.load(halt, 0) === 0) throwLater(error);
  };
}

/** Out of any promise, so that the worker thread dies of it and the pool hears. */
function throwLater(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

const runner = isMainThread ? null : new LaunchRunner(workerData as WorkerSetup);

/** Piscina's task: one launch from spawn to the end of its process tree. */
export default async function runLaunch(request: RunRequest): Promise<unknown> {
  if (runner === null) throw new Error('worker.ts runs in a worker thread only.');
  const outcome = await runner.run(request);
  if (outcome === 'fenced' || outcome.output.length === 0) return outcome;
  // The output's memory changes hands instead of being copied.
  return move({
    get [transferableSymbol]() {
      return [(outcome as Execution).output.buffer];
    },
    get [valueSymbol]() {
      return outcome;
    },
  });
}
