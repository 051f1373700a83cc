/**
 * Which history rows have been told of, by their numbers. Numbers are given out when a row is
 * inserted and seen when its transaction is committed, so that a lower one may come to light after
 * a higher one: whoever only asks for what is above the highest skips it for ever. A trail keeps
 * the numbers below the highest that were not there, and they are asked for again until no
 * transaction that might still bring them can be alive.
 */
export class RunTrail {
  #high: number;
  /**
   * Number of a row that was not there, and since when by the own monotonic clock; in ascending
   * order, since higher ones come later.
   */
  readonly #gaps = new Map<number, number>();
  /** Gaps that were given up because there were too many at once. */
  dropped = 0;

  constructor(high: number, gaps: readonly number[] = [], nowMs = 0) {
    this.#high = high;
    for (const gap of gaps) this.#gaps.set(gap, nowMs);
  }

  /** The highest number that was told of. */
  get high(): number {
    return this.#high;
  }

  /** Everything up to here was told of, or never will be there. */
  get low(): number {
    const [lowest] = this.#gaps.keys();
    return lowest === undefined ? this.#high : lowest - 1;
  }

  get gaps(): Iterable<number> {
    return this.#gaps.keys();
  }

  get gapCount(): number {
    return this.#gaps.size;
  }

  /**
   * Notes a row that is there; false when it was told of before.
   * @param isOld so old that nothing below it can be under way any more: no gaps are kept
   */
  take(runId: number, nowMs: number, isOld = false): boolean {
    if (runId <= this.#high) return this.#gaps.delete(runId);
    if (isOld) {
      this.#high = runId;
      return true;
    }
    // Of a jump as wide as that the first numbers are the likelier to be nobody's.
    const from = Math.max(this.#high + 1, runId - gapsMax);
    for (let gap = from; gap < runId; gap += 1) this.#gaps.set(gap, nowMs);
    this.#high = runId;
    this.#bound();
    return true;
  }

  /**
   * The gaps to ask for now: those of the last seconds each time, the others now and then.
   * @param isLookAtAll whether it is the turn of the others
   */
  gapsToAsk(nowMs: number, isLookAtAll: boolean): number[] {
    const asked: number[] = [];
    for (const [gap, sinceMs] of this.#gaps) {
      if (nowMs - sinceMs > gapMsMax) this.#gaps.delete(gap);
      else if (isLookAtAll || nowMs - sinceMs < freshGapMs) asked.push(gap);
    }
    return asked.sort((one, other) => one - other);
  }

  /** A trail of its own that goes on from here. */
  copy(nowMs: number): RunTrail {
    return new RunTrail(this.#high, [...this.#gaps.keys()], nowMs);
  }

  #bound(): void {
    for (const gap of this.#gaps.keys()) {
      if (this.#gaps.size <= gapsMax) return;
      this.#gaps.delete(gap); // the oldest first, in the order of their coming
      this.dropped += 1;
    }
  }
}

/**
 * How long a number that is not there is asked for. A transaction that writes rows is cut by the
 * server after 0.2 TTL of silence, twelve minutes at the longest TTL there may be, nine seconds at
 * the usual one. No row is cleaned away before it is ten minutes old (`freshMs`).
 */
export const gapMsMax = 15 * 60_000;
/** Nearly all gaps close within this, or are a rollback's. */
const freshGapMs = 5_000;
const gapsMax = 20_000;

/**
 * The gaps among the newest rows, for a trail that begins now: numbers that are missing between
 * rows young enough for their neighbours to be under way still.
 * @param rows number and age of the newest rows, the newest first
 */
export function gapsAmong(
  rows: readonly { readonly runId: number; readonly ageMs: number }[],
): number[] {
  const gaps: number[] = [];
  for (const [place, { runId, ageMs }] of rows.entries()) {
    const older = rows[place + 1];
    if (older === undefined || ageMs > neighbourMsMax) break;
    const until = Math.max(older.runId, runId - firstGapsMax);
    for (let gap = runId - 1; gap > until; gap -= 1) gaps.push(gap);
    if (gaps.length >= firstGapsMax) break;
  }
  return gaps.slice(0, firstGapsMax).reverse();
}

const neighbourMsMax = 60_000;
const firstGapsMax = 4_000;
