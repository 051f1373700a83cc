interface Sample {
  offsetMs: number;
  takenAtMs: number;
}

/**
 * The database's clock as an offset of a monotonic one. Each sample is the database's time read by
 * a statement, set against the monotonic instant at which its reply was *received*: the database
 * had already moved on by then, so the estimate can only be late, never early (P12). The fastest of
 * the recent replies is the best estimate, that is the largest offset. Old samples go after
 * `memoryMs`, since clocks drift.
 */
export class DatabaseClock {
  readonly #monotonicNowMs: () => number;
  readonly #memoryMs: number;
  #samples: Sample[] = [];
  #offsetMs = Number.NaN;

  constructor(monotonicNowMs: () => number, memoryMs = 60_000) {
    this.#monotonicNowMs = monotonicNowMs;
    this.#memoryMs = memoryMs;
  }

  /**
   * Takes a reading of the database's clock: `sentAtMs` is the monotonic instant at which it was
   * requested, now is when the reply came. A reading that proves the estimate to be ahead of the
   * database (the clock was stepped back) throws the older samples away.
   */
  observe(databaseNowMs: number, sentAtMs: number): void {
    const takenAtMs = this.#monotonicNowMs();
    const offsetMs = databaseNowMs - takenAtMs;
    const offsetMsMax = databaseNowMs - sentAtMs;
    const steppedBack = offsetMsMax < this.#offsetMs - readingErrorMs;
    const kept = steppedBack
      ? []
      : this.#samples.filter((sample) => sample.takenAtMs > takenAtMs - this.#memoryMs);
    this.#samples = [...kept, { offsetMs, takenAtMs }].slice(-samplesMax);
    this.#offsetMs = Math.max(...this.#samples.map((sample) => sample.offsetMs));
  }

  /**
   * The database's time now, epoch milliseconds with a fraction; late by the fastest reply's way.
   */
  nowMs(): number {
    return this.#monotonicNowMs() + this.#offsetMs;
  }
}

/** Readings are rounded by up to a millisecond, and clocks drift a little between two of them. */
const readingErrorMs = 2;
const samplesMax = 64;
