import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Execution } from '../../domain/run/run.ts';
import { writeGuardianLine } from '../guardian/guardianLines.ts';
import { DiskQueue } from '../output/diskQueue.ts';
import { JournalHelper } from '../output/journalHelper.ts';
import { rightsOf } from '../request/runOwnership.ts';
import type { RunRequest } from '../request/runRequest.ts';
import { createDirectSpawner } from '../spawn/directSpawner.ts';
import { createLauncherSpawner } from '../spawn/launcherSpawner.ts';
import { ProcessTreeTerminator } from '../terminate/processTreeTerminator.ts';
import { type EndReason, RunSupervisor, type SupervisorTools } from './runSupervisor.ts';
import type { ControlMessage, WorkerMessage, WorkerSetup } from './workerSetup.ts';

/** A stop can overtake the run it is for, which comes another way. Launch ids never come again. */
const earlyEndsMax = 4096;

/** Runs launches in one worker thread of the pool. */
class LaunchRunner {
  readonly #tools: SupervisorTools;
  readonly #running = new Map<string, RunSupervisor>();
  readonly #earlyEnds = new Map<string, EndReason>();
  #isClosing = false;

  constructor(setup: WorkerSetup) {
    const { guardianFd, journalPath, perlPath } = setup;
    const onEnded = (how: string | null) => notifyPool({ kind: 'launcher.ended', how });
    const spawner =
      perlPath === null
        ? createDirectSpawner(setup)
        : createLauncherSpawner({ ...setup, perlPath, onEnded, onError: throwLater });
    const halt = new Int32Array(setup.halt);
    this.#tools = {
      spawner,
      terminator: new ProcessTreeTerminator(spawner, throwLater),
      nodeEnv: setup.nodeEnv,
      disk: new DiskQueue(),
      journal: perlPath === null ? null : new JournalHelper(perlPath, journalPath),
      rights: rightsOf(setup.allowedUsers, spawner.isLauncher),
      isHalted: () => Atomics.load(halt, 0) === 1,
      reportToGuardian: (line) => {
        if (guardianFd !== null) writeGuardianLine(guardianFd, line);
      },
    };
    const channel = new BroadcastChannel(setup.channelName);
    channel.onmessage = (event) => this.#control((event as { data: ControlMessage }).data);
    channel.unref();
    notifyPool({ kind: 'worker.ready' });
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
      // It is sent again when another thread begins to listen.
      if (this.#isClosing) return;
      this.#isClosing = true;
      this.#tools.journal?.close();
      this.#tools.spawner.close().then(() => notifyPool({ kind: 'worker.closed' }), throwLater);
      return;
    }
    const supervisor = this.#running.get(message.launchId);
    if (message.kind === 'run.peek') {
      const live = supervisor?.liveOutput(message.bytesMax);
      if (live !== undefined) notifyPool({ kind: 'run.output', query: message.query, live });
      return;
    }
    supervisor?.end(message.reason);
    if (supervisor !== undefined) return;
    this.#earlyEnds.set(message.launchId, message.reason);
    const [oldest] = this.#earlyEnds.keys();
    if (this.#earlyEnds.size > earlyEndsMax && oldest !== undefined) {
      this.#earlyEnds.delete(oldest);
    }
  }
}

function notifyPool(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

/** Out of any promise, so that the worker thread dies of it, which the pool notices. */
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
