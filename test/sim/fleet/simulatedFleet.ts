import type { ClockSample, FaultRecord, Operation } from '../../checkers/history.ts';
import { judge } from '../../checkers/judge.ts';
import type { Violation } from '../../checkers/violation.ts';
import { ChartCoverage } from '../chartCoverage.ts';
import { ChildProcesses } from '../childProcesses.ts';
import { RandomSource } from '../randomSource.ts';
import { SimulatedHost } from '../simulatedHost.ts';
import { SimulatedTimeline } from '../simulatedTimeline.ts';
import { MemoryServer } from '../store/memoryServer.ts';
import { takeHistory } from '../takeHistory.ts';
import type { World } from '../world.ts';
import { DatabaseModel } from './databaseModel.ts';
import { type FleetTimes, planFleet, planTimes, putJobs } from './planFleet.ts';
import type { FleetOptions } from './readFleetOptions.ts';

/** The hosts have been up for a while when the world begins. */
const bootMs = 1_000_000;
const progressMs = 1_000;
const never = Number.MAX_SAFE_INTEGER;

/** Told now and then, and at the begin of each part. */
export type OnFleetProgress = (soFar: { readonly part: string; readonly share: number }) => void;

/** Nodes on one database whose time is modelled, and what is done to them. */
export class SimulatedFleet {
  readonly times: FleetTimes;
  readonly timeline = new SimulatedTimeline(bootMs);
  readonly model: DatabaseModel;
  readonly world: World;
  readonly #began = performance.now();
  readonly #hosts: readonly SimulatedHost[];
  readonly #clock: ClockSample[];
  readonly #onProgress: OnFleetProgress;
  readonly #faults: FaultRecord[] = [];
  #operations: readonly Operation[] = [];

  /** All nodes start within the time that joining takes. */
  constructor(options: FleetOptions, onProgress: OnFleetProgress) {
    const scenario = planFleet(options);
    this.times = planTimes(options);
    this.#onProgress = onProgress;
    this.model = new DatabaseModel(this.timeline, options.constants);
    const server = new MemoryServer(this.timeline, scenario.epochMs, this.model);
    // A pass over the history is one node's work, and not what this is about: none comes due.
    Object.assign(server.tables.cleaning, { dueMs: never, untilMs: never, sessionId: 'nobody' });
    this.world = {
      scenario,
      plans: new Map(scenario.jobs.map((job) => [job.name, job])),
      timeline: this.timeline,
      random: new RandomSource(String(scenario.seed)),
      server,
      children: new ChildProcesses(this.timeline),
      coverage: new ChartCoverage(false),
      brokenNodes: new Set(),
    };
    this.#clock = [this.#sample()];
    this.#hosts = scenario.nodes.map((node) => new SimulatedHost(this.world, node));
    for (const host of this.#hosts) {
      const joinsMs = this.world.random.between(0, this.times.joinedMs);
      this.timeline.after(joinsMs, () => host.start());
    }
  }

  /** @param untilMs since the begin of the world */
  async runTo(part: string, untilMs: number): Promise<void> {
    for (let atMs = this.timeline.nowMs(); atMs < bootMs + untilMs; ) {
      atMs = Math.min(atMs + progressMs, bootMs + untilMs);
      await this.timeline.runUntil(atMs);
      this.#onProgress({ part, share: (atMs - bootMs) / this.times.untilMs });
    }
  }

  /** Puts all jobs, as if that had been so long ago. */
  putJobs(agoMs = 0): void {
    const { scenario, server } = this.world;
    const then = {
      nowMs: server.databaseNowMs() - agoMs,
      bootMs: this.timeline.nowMs() - agoMs,
    };
    this.#operations = putJobs(server, then, scenario.jobs);
  }

  /** Loses machines in one moment; which these are makes no difference. */
  lose(count: number): void {
    const atMs = this.timeline.nowMs();
    for (const host of this.#hosts.slice(0, count)) {
      host.lose();
      const span = { fromMs: atMs, untilMs: atMs };
      const fault = { kind: 'node lost', target: host.node, stops: 'node', detail: '' } as const;
      this.#faults.push({ ...fault, ...span });
    }
  }

  judge(): Violation[] {
    this.#onProgress({ part: 'judging', share: 1 });
    this.#clock.push(this.#sample());
    return judge(
      takeHistory({
        world: this.world,
        hosts: this.#hosts,
        clock: this.#clock,
        operations: this.#operations,
        faults: this.#faults,
        startMs: bootMs,
      }),
    );
  }

  /** What the simulation took, which differs from one time to the next. */
  usage() {
    return {
      lives: this.#hosts.reduce((sum, host) => sum + host.lives.length, 0),
      events: this.timeline.events,
      tookSeconds: (performance.now() - this.#began) / 1_000,
      processorSeconds: process.cpuUsage().user / 1e6,
      memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
    };
  }

  #sample(): ClockSample {
    return { atMs: this.timeline.nowMs(), databaseMs: this.world.server.exactNowMs() };
  }
}
