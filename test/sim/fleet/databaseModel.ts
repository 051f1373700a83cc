import type { ServedStep, ServerLoad, ServerSession } from '../store/memoryServer.ts';
import type { Timeline } from '../timeline.ts';
import type { ModelConstants } from './modelConstants.ts';
import { StatementMeter } from './statementMeter.ts';
import { type Statement, statementsOf } from './statements.ts';

/**
 * The time that a database takes: each statement waits for a core and has it for as long as its
 * rows want, the next one of a step comes a round trip later, and a COMMIT of what was written
 * waits for the disk, with others that came meanwhile. Locks are the memory server's own: they are
 * held from the statement that takes them until the COMMIT is served.
 */
export class DatabaseModel implements ServerLoad {
  meter = new StatementMeter();
  /** Of all cores since the meter was changed, milliseconds. */
  busyMs = 0;
  readonly #timeline: Timeline;
  readonly #constants: ModelConstants;
  /** When each core is free. */
  readonly #freeMs: number[];
  readonly #written = new WeakSet<ServerSession>();
  #isFlushing = false;
  #flushWaits: (() => void)[] = [];

  constructor(timeline: Timeline, constants: ModelConstants) {
    this.#timeline = timeline;
    this.#constants = constants;
    this.#freeMs = Array.from({ length: constants.cores }, () => 0);
  }

  serve(step: ServedStep, reply: () => void): void {
    this.#serveNext(step, statementsOf(step), 0, reply);
  }

  #serveNext(
    step: ServedStep,
    statements: readonly Statement[],
    at: number,
    reply: () => void,
  ): void {
    const statement = statements[at];
    if (statement === undefined) {
      reply();
      return;
    }
    this.meter.note(statement, step.client, this.#timeline.nowMs());
    const isLast = at + 1 === statements.length;
    const goOn = (): void => {
      const next = (): void => this.#serveNext(step, statements, at + 1, reply);
      if (isLast) reply();
      else this.#timeline.after(this.#constants.roundTripMs, next);
    };
    this.#compute(statement, () => {
      if (this.#isDurable(statement, step.session)) this.#flush(goOn);
      else goOn();
    });
  }

  /** The first core that is free has it; those that wait are served in turn. */
  #compute(statement: Statement, done: () => void): void {
    const { statementMs, rowReadMs, rowPassedMs, rowWrittenMs, commitMs } = this.#constants;
    const readMs = statement.rows * rowReadMs + statement.passed * rowPassedMs;
    const commits = statement.kind === 'commit' || statement.isAlone ? commitMs : 0;
    const wantedMs = statementMs + readMs + statement.written * rowWrittenMs + commits;
    const nowMs = this.#timeline.nowMs();
    let core = 0;
    for (const [other, freeMs] of this.#freeMs.entries()) {
      if (freeMs < (this.#freeMs[core] ?? 0)) core = other;
    }
    const endMs = Math.max(nowMs, this.#freeMs[core] ?? 0) + wantedMs;
    this.#freeMs[core] = endMs;
    this.busyMs += wantedMs;
    this.#timeline.after(endMs - nowMs, done);
  }

  /** Whether the disk has to have it before it is answered. */
  #isDurable({ kind, isAlone, written }: Statement, session: ServerSession): boolean {
    if (isAlone) return written > 0;
    if (written > 0) this.#written.add(session);
    const ends = kind === 'commit' || kind === 'rollback';
    return ends && this.#written.delete(session) && kind === 'commit';
  }

  /** Those that come while the disk writes go together in its next turn. */
  #flush(done: () => void): void {
    this.#flushWaits.push(done);
    if (!this.#isFlushing) this.#flushWaiting();
  }

  #flushWaiting(): void {
    const flushed = this.#flushWaits;
    this.#flushWaits = [];
    this.#isFlushing = true;
    this.#timeline.after(this.#constants.flushMs, () => {
      this.#isFlushing = false;
      if (this.#flushWaits.length > 0) this.#flushWaiting();
      for (const each of flushed) each();
    });
  }
}
