import type { Lease } from '../../src/actors/runtime/lease.ts';
import type { Executor } from '../../src/actors/runtime/runtime.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import type { Execution } from '../../src/domain/run/run.ts';
import { succeeded } from '../support/testNode.ts';
import type { Child, ChildProcesses } from './childProcesses.ts';
import type { NodeLoop } from './nodeLoop.ts';
import type { RandomSource } from './randomSource.ts';
import type { PlannedJob } from './scenario.ts';
import type { Timeline } from './timeline.ts';

interface Running {
  child: Child | null;
  isStopped: boolean;
  /** The answer to the node, when the child has ended. */
  readonly answer: (execution: Partial<Execution>) => void;
}

export interface ExecutorParts {
  readonly timeline: Timeline;
  readonly loop: NodeLoop;
  readonly random: RandomSource;
  readonly children: ChildProcesses;
  readonly lease: Lease;
  readonly node: string;
  readonly sessionId: string;
  /** By name. */
  readonly jobs: ReadonlyMap<string, PlannedJob>;
}

const failShare = 0.05;
const outputShare = 0.1;

/**
 * Stands in for the pool: children are spawned shortly after they were requested, when the lease
 * is still good then, and live on their own until they end or somebody kills them.
 */
export class SimulatedExecutor implements Executor {
  readonly #parts: ExecutorParts;
  readonly #running = new Map<string, Running>();
  /** From when on nothing is spawned any more, as the pool's threads have it. */
  #isHalted = false;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  run(launch: Launch): Promise<Execution> {
    const { loop, random, timeline, lease } = this.#parts;
    const { launchId } = launch;
    return new Promise((resolve, reject) => {
      const answer = (execution: Partial<Execution>): void => {
        this.#running.delete(launchId);
        const endedBootMs = this.#parts.lease.readBootClockMs();
        const reported = { ...succeeded, ...execution, endedBootMs };
        timeline.after(random.between(0.5, 4), () => loop.receive(() => resolve(reported)));
      };
      const running: Running = { child: null, isStopped: false, answer };
      this.#running.set(launchId, running);
      loop.after(random.between(0.5, 8), () => {
        if (running.isStopped) return answer({ result: 'stopped', exitCode: null });
        if (this.#isHalted || lease.leftMs() <= 0) {
          this.#running.delete(launchId);
          return reject(new Error(`fenced: ${launchId} is not spawned`));
        }
        this.#spawn(launch, running);
      });
    });
  }

  stop(launchId: string): void {
    const running = this.#running.get(launchId);
    if (running === undefined || running.isStopped) return;
    running.isStopped = true;
    if (running.child === null) return;
    const { loop, random } = this.#parts;
    loop.after(random.between(1, 500), () => this.#end(running, 'stopped'));
  }

  /** The worker threads spawn nothing more, and kill what they have spawned. */
  async killEverything(): Promise<void> {
    this.#isHalted = true;
    for (const launchId of this.#running.keys()) this.#killSoon(launchId);
  }

  async close(): Promise<void> {}

  /** The guardian's sweep: every process of the session dies within the time. */
  sweep(withinMs: number): void {
    for (const launchId of this.#running.keys()) this.#killSoon(launchId, withinMs);
  }

  #spawn(launch: Launch, running: Running): void {
    const { children, jobs, loop, node, random, sessionId, timeline } = this.#parts;
    const child = children.start(launch, node, sessionId);
    running.child = child;
    const plan = jobs.get(launch.definition.name);
    const [least, most] = plan?.lastsMs ?? [0, 100];
    const lastsMs = random.between(least, most);
    const { timeoutMs } = launch.definition;
    if (timeoutMs !== null && timeoutMs < lastsMs) {
      loop.after(timeoutMs, () => this.#end(running, 'timed_out'));
      return;
    }
    const exitCode = random.chance(failShare) ? 3 : 0;
    const output = random.chance(outputShare) ? someOutput : succeeded.output;
    timeline.after(lastsMs, () => {
      if (!child.isAlive) return;
      child.exit(exitCode);
      const result = exitCode === 0 ? 'succeeded' : 'failed';
      running.answer({ result, exitCode, output, outputBytes: output.byteLength });
    });
  }

  #end(running: Running, result: 'stopped' | 'timed_out'): void {
    if (running.child?.isAlive !== true) return;
    running.child.kill();
    running.answer({ result, exitCode: null, signal: 'SIGTERM' });
  }

  #killSoon(launchId: string, withinMs = 20): void {
    const running = this.#running.get(launchId);
    const { random, timeline } = this.#parts;
    timeline.after(random.between(0.5, withinMs), () => running?.child?.kill());
  }
}

const someOutput = new TextEncoder().encode('what the job said');
