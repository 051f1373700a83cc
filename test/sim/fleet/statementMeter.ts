import type { ServedStep, ServerLoad } from '../store/memoryServer.ts';
import { type Statement, statementsOf } from './statements.ts';

/** What one kind of statement came to. */
export interface KindCount {
  statements: number;
  rows: number;
}

const binMs = 100;

/** Counts statements: by kind, by who sent them, and by when. */
export class StatementMeter {
  statements = 0;
  rows = 0;
  /** With those that the engine passed over. */
  examined = 0;
  readonly kinds = new Map<string, KindCount>();
  readonly clients = new Map<string, number>();
  readonly #bins = new Map<number, number>();

  note({ kind, rows, passed }: Statement, client: string, atMs: number): void {
    this.statements += 1;
    this.rows += rows;
    this.examined += rows + passed;
    const count = this.kinds.get(kind) ?? { statements: 0, rows: 0 };
    count.statements += 1;
    count.rows += rows;
    this.kinds.set(kind, count);
    this.clients.set(client, (this.clients.get(client) ?? 0) + 1);
    const bin = Math.floor(atMs / binMs);
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
  }

  /** The most that began within the same tenth of a second. */
  mostAtOnce(): number {
    let most = 0;
    for (const statements of this.#bins.values()) most = Math.max(most, statements);
    return most;
  }

  /** Per tenth of a second, in a window of that length. */
  meanAtOnce(windowMs: number): number {
    return (this.statements * binMs) / windowMs;
  }
}

/** Counts the statements that steps stand for, in no time: for tests of the counts themselves. */
export class MeteredLoad implements ServerLoad {
  meter = new StatementMeter();

  serve(step: ServedStep, reply: () => void): void {
    for (const statement of statementsOf(step)) this.meter.note(statement, step.client, 0);
    reply();
  }
}
