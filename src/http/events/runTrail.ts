/**
 * Which rows of the history were seen, by their numbers. A number is given out when a row is
 * inserted and the row is visible when its transaction commits, so that a lower number may appear
 * after a higher one. The numbers that are missing below the highest, the gaps, are kept to be read
 * again until no transaction that might still bring them can be alive.
 */
export class RunTrail {
  #high: number;
  /** A missing number, and since when, by the own monotonic clock; both ascend. */
  readonly #gaps = new Map<number, number>();

  /** @param settled a number up to which no row is missing */
  constructor(settled: number) {
    this.#high = settled;
  }

  /** The highest number that was seen. */
  get high(): number {
    return this.#high;
  }

  /** Every row up to this number was seen; no other one will appear. */
  get settled(): number {
    const [lowest] = this.#gaps.keys();
    return lowest === undefined ? this.#high : lowest - 1;
  }

  get gaps(): readonly number[] {
    return [...this.#gaps.keys()];
  }

  /** Notes that a row is there; false: it was seen before, or is not waited for any more. */
  add(runId: number, nowMs: number): boolean {
    if (runId <= this.#high) return this.#gaps.delete(runId);
    // Of a jump as wide as that the first numbers are the likelier to be nobody's.
    const first = Math.max(this.#high + 1, runId - gapsMax);
    for (let gap = first; gap < runId; gap += 1) this.#gaps.set(gap, nowMs);
    this.#high = runId;
    for (const oldest of this.#gaps.keys()) {
      if (this.#gaps.size <= gapsMax) break;
      this.#gaps.delete(oldest);
    }
    return true;
  }

  /** Waits no longer for numbers that have been missing since before then. */
  giveUp(beforeMs: number): void {
    for (const [gap, sinceMs] of this.#gaps) {
      if (sinceMs >= beforeMs) return;
      this.#gaps.delete(gap);
    }
  }
}

const gapsMax = 20_000;
