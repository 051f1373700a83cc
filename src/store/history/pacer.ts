import {
  nextSize,
  type PaceBounds,
  stepMsMax,
  type Taken,
} from '../../domain/commit/cleaningPace.ts';

/** What is taken in numbers of its own. */
type Kind = 'jobs' | 'runs' | 'outputs';

const bounds: Readonly<Record<Kind, PaceBounds>> = {
  jobs: { first: 50, least: 5, most: 1_000 },
  runs: { first: 500, least: 50, most: 2_000 },
  outputs: { first: 50, least: 5, most: 2_000 },
};

/** How many bytes of outputs go in one transaction: replicas get rows with all that was in them. */
export const outputBytesMax = 8 * 1024 * 1024;

/** The pace of one session's cleaning, which follows how long the database takes. */
export class Pacer {
  readonly #nowMs: () => number;
  readonly #sizes: Record<Kind, number>;
  #beganMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    const { jobs, runs, outputs } = bounds;
    this.#sizes = { jobs: jobs.first, runs: runs.first, outputs: outputs.first };
  }

  beginStep(): void {
    this.#beganMs = this.#nowMs();
  }

  get tookMs(): number {
    return this.#nowMs() - this.#beganMs;
  }

  /** No further transaction is begun in this step. */
  get isStepOver(): boolean {
    return this.tookMs >= stepMsMax;
  }

  /** Does one transaction, or one read, of as many rows as it may have; what failed counts, too. */
  async take<T extends Taken>(kind: Kind, work: (rowsMax: number) => Promise<T>): Promise<T> {
    const size = this.#sizes[kind];
    const beganMs = this.#nowMs();
    let taken: Taken = { rows: 0, isMore: false };
    try {
      const worked = await work(size);
      taken = worked;
      return worked;
    } finally {
      const tookMs = this.#nowMs() - beganMs;
      this.#sizes[kind] = nextSize(bounds[kind], size, { ...taken, tookMs });
    }
  }

  /** The same again and again, until nothing more is left or the step is over. */
  async takeUntilOver(kind: Kind, work: (rowsMax: number) => Promise<Taken>): Promise<Taken> {
    let rows = 0;
    let isMore: boolean;
    do {
      const taken = await this.take(kind, work);
      rows += taken.rows;
      isMore = taken.isMore;
    } while (isMore && !this.isStepOver);
    return { rows, isMore };
  }
}
