import type { Executor } from '../../src/actors/runtime/runtime.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import type { Execution } from '../../src/domain/run/run.ts';
import { FencedError } from '../../src/exec/lease/fencedError.ts';
import { succeeded } from '../support/testNode.ts';

/** One execution as it really was, whatever the database says of it. */
export interface Entry {
  readonly launch: Launch;
  readonly node: string;
  readonly startedAtMs: number;
  endedAtMs: number | null;
  /** Ends it from a test. */
  end(execution?: Partial<Execution>): void;
}

/**
 * The truth about what was executed, over all nodes of a test. It throws nothing: what it saw that
 * must never be stands in `faults` (P5: a tick's attempt twice; P6: two of a slot at once).
 */
export class ExecutionLedger {
  readonly entries: Entry[] = [];
  readonly faults: string[] = [];
  /** The most executions at one time, by node. */
  readonly peaks = new Map<string, number>();
  /** How long an execution takes; null: until it is ended by the test or stopped. */
  lastsMs: (launch: Launch) => number | null = () => 0;
  /** Why a launch is not started at all; null: it is. */
  refuses: (launch: Launch) => Error | null = () => null;
  readonly #running = new Map<string, Entry>();
  readonly #watchers = new Set<() => void>();

  running(node?: string): Entry[] {
    const all = [...this.#running.values()];
    return node === undefined ? all : all.filter((entry) => entry.node === node);
  }

  of(jobName: string): Entry[] {
    return this.entries.filter(({ launch }) => launch.definition.name === jobName);
  }

  /** Calls back whenever something starts or ends. */
  onChange(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** What stands in for the pool of one node; like it, it starts nothing once all is killed. */
  executor(node: string): Executor & { readonly killed: () => boolean } {
    let isKilled = false;
    const killEverything = async (): Promise<void> => {
      isKilled = true;
      for (const entry of this.running(node)) entry.end({ result: 'failed', signal: 'SIGKILL' });
    };
    return {
      run: async (launch) => {
        if (isKilled) throw new FencedError(launch.launchId);
        return this.#run(node, launch);
      },
      stop: (launchId) => this.#running.get(launchId)?.end({ result: 'stopped', exitCode: null }),
      killEverything,
      close: async () => undefined,
      killed: () => isKilled,
    };
  }

  #run(node: string, launch: Launch): Promise<Execution> {
    const refusal = this.refuses(launch);
    if (refusal !== null) return Promise.reject(refusal);
    return new Promise((resolve) => {
      const entry: Entry = {
        launch,
        node,
        startedAtMs: performance.now(),
        endedAtMs: null,
        end: (execution = {}) => {
          if (entry.endedAtMs !== null) return;
          entry.endedAtMs = performance.now();
          this.#running.delete(launch.launchId);
          resolve({ ...succeeded, ...execution });
          this.#notify();
        },
      };
      this.#check(entry);
      this.entries.push(entry);
      this.#running.set(launch.launchId, entry);
      this.peaks.set(node, Math.max(this.peaks.get(node) ?? 0, this.running(node).length));
      const lastsMs = this.lastsMs(launch);
      if (lastsMs !== null) setTimeout(entry.end, lastsMs).unref();
      this.#notify();
    });
  }

  #check({ launch }: Entry): void {
    const { attempt, slotId, scheduledForMs, launchId, trigger, requestId } = launch;
    for (const other of this.entries) {
      if (other.launch.slotId !== slotId) continue;
      const { launch: before } = other;
      if (before.launchId === launchId) this.faults.push(`${launchId} was spawned twice`);
      const isSame =
        before.scheduledForMs === scheduledForMs &&
        before.attempt === attempt &&
        before.trigger === trigger &&
        before.requestId === requestId;
      if (isSame) {
        this.faults.push(`${before.launchId} and ${launchId} are of one tick`);
      }
      if (other.endedAtMs === null) {
        this.faults.push(`${before.launchId} still ran when ${launchId} began`);
      }
    }
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
