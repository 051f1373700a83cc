import { OperatorError } from '../../src/domain/errors/errors.ts';
import type { EndedSession } from '../../src/domain/reasons/sessionEnd.ts';
import type { NodeLife } from '../checkers/history.ts';
import { NodeProcess, type ProcessEnding } from './nodeProcess.ts';
import { NodeWire } from './nodeWire.ts';
import type { RandomSource } from './randomSource.ts';
import { SimulatedSpool } from './simulatedSpool.ts';
import type { World } from './world.ts';

const restartMsMin = 100;
const restartMsMax = 30_000;
const soundLifeMs = 10_000;
/** The guardian looks at the deadline this often. */
const checkMs = 50;
/** A sweep of all that a session left behind takes up to this long. */
const sweepMsMax = 80;
/** What starts a guardian again that has ended: the host's own supervisor. */
const supervisorMs = [500, 2_500] as const;
const endedSessionsMax = 16;

/**
 * One machine of the simulated cluster: a guardian that starts node processes, kills one whose
 * lease is over, and has killed everything that a dead one left before it starts the next; and
 * whatever starts the guardian again when that has ended.
 */
export class SimulatedHost {
  readonly node: string;
  readonly wire: NodeWire;
  readonly lives: NodeLife[] = [];
  /** When each life began to serve, in their order; null while it has not. */
  readonly servingFromMs: (number | null)[] = [];
  readonly #world: World;
  readonly #random: RandomSource;
  readonly #spool: SimulatedSpool;
  #process: NodeProcess | null = null;
  #guardianLives = true;
  #endedSessions: EndedSession[] = [];
  #deadlineMs = Number.POSITIVE_INFINITY;
  #watchIsSet = false;
  #delayMs = restartMsMin;
  #startedMs = 0;

  constructor(world: World, node: string) {
    this.node = node;
    this.#world = world;
    this.#spool = new SimulatedSpool(world.timeline);
    this.#random = world.random.fork(`host ${node}`);
    this.wire = new NodeWire(this.#random.fork('wire'), world.scenario.latencyMs);
  }

  get isFrozen(): boolean {
    return this.#process?.loop.isFrozen === true;
  }

  /** The guardian starts a node process. */
  start(): void {
    const { timeline } = this.#world;
    this.#startedMs = timeline.nowMs();
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    const process = new NodeProcess({
      world: this.#world,
      node: this.node,
      random: this.#random.fork(`life ${this.lives.length}`),
      wire: this.wire,
      spool: this.#spool,
      endedSessions: [...this.#endedSessions],
      notifyGuardian: (deadlineMs) => this.#hear(process, deadlineMs),
      onServing: () => {
        this.servingFromMs[this.lives.length - 1] = timeline.nowMs();
      },
      onEnd: (ending) => this.#exit(process, ending),
    });
    this.#process = process;
    this.servingFromMs.push(null);
    this.lives.push({
      node: this.node,
      sessionId: process.sessionId,
      processId: 100 + this.lives.length,
      startedMs: this.#startedMs,
      endedMs: null,
      ending: null,
    });
    process.start();
  }

  /** SIGKILL. */
  killNode(): void {
    const process = this.#process;
    if (process === null) return;
    this.#bury(process, 'killed');
    if (this.#guardianLives) this.#sweepAndRestart(process);
  }

  /** The machine is lost with all that runs on it, and does not come back. */
  lose(): void {
    this.#guardianLives = false;
    this.#process?.executor.sweep(0);
    this.killNode();
  }

  freeze(): void {
    this.#process?.loop.freeze();
  }

  thaw(): void {
    this.#process?.loop.thaw();
  }

  drain(): void {
    this.#process?.drain();
  }

  /** The node sees its pipe close: it kills its children and ends. */
  killGuardian(): void {
    const process = this.#process;
    if (process === null || this.isFrozen || !this.#guardianLives) return;
    this.#guardianLives = false;
    process.fail(
      new OperatorError({ code: 'guardian_lost', message: 'guardian lost', hint: 'none' }),
    );
  }

  #hear(process: NodeProcess, deadlineMs: number): void {
    if (this.#process !== process || !this.#guardianLives) return;
    this.#deadlineMs = deadlineMs;
    if (!this.#watchIsSet) this.#watch();
  }

  #watch(): void {
    const { timeline, scenario } = this.#world;
    this.#watchIsSet = true;
    const waitMs = this.#deadlineMs - timeline.nowMs() + this.#random.between(0, checkMs);
    timeline.after(waitMs, () => {
      this.#watchIsSet = false;
      const process = this.#process;
      if (process === null || !this.#guardianLives) return;
      if (scenario.mutation === 'guardian does not watch') return;
      if (timeline.nowMs() <= this.#deadlineMs) return this.#watch();
      this.#bury(process, 'its lease was over');
      this.#sweepAndRestart(process);
    });
  }

  #exit(process: NodeProcess, { ending, error }: ProcessEnding): void {
    if (this.#process !== process) return;
    this.#bury(process, ending);
    const saidGoodbye = ending === 'left' || error instanceof OperatorError;
    if (this.#guardianLives && !saidGoodbye) this.#sweepAndRestart(process);
    else this.#restartBySupervisor();
  }

  #bury(process: NodeProcess, ending: string): void {
    process.die();
    this.#process = null;
    const life = this.lives.at(-1);
    if (life === undefined) throw new Error('a process without a life');
    const endedMs = this.#world.timeline.nowMs();
    this.lives[this.lives.length - 1] = { ...life, endedMs, ending };
  }

  #sweepAndRestart(process: NodeProcess): void {
    const { timeline, scenario } = this.#world;
    if (scenario.mutation !== 'guardian does not sweep') process.executor.sweep(sweepMsMax);
    timeline.after(sweepMsMax + 10, () => {
      const ended = { sessionId: process.sessionId, why: null };
      this.#endedSessions = [...this.#endedSessions, ended].slice(-endedSessionsMax);
      if (timeline.nowMs() - this.#startedMs > soundLifeMs) this.#delayMs = restartMsMin;
      timeline.after(this.#delayMs, () => this.start());
      this.#delayMs = Math.min(restartMsMax, this.#delayMs * 2);
    });
  }

  #restartBySupervisor(): void {
    const [least, most] = supervisorMs;
    this.#world.timeline.after(this.#random.between(least, most), () => {
      this.#guardianLives = true;
      this.#endedSessions = [];
      this.#delayMs = restartMsMin;
      this.start();
    });
  }
}
