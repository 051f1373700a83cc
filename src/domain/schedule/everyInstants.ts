import type { CombinedInstants } from './combinedInstants.ts';

/**
 * The ticks of an `@every` that are not the same on every day, e.g. of 7s or 90m, less what is
 * excluded, in epoch seconds. Excluded stretches are jumped over.
 */
export class EveryInstants {
  readonly #every: number;
  readonly #anchor: number;
  /** Every instant that is not excluded; null when nothing is. */
  readonly #allowed: CombinedInstants | null;

  constructor(every: number, anchor: number, allowed: CombinedInstants | null) {
    this.#every = every;
    this.#anchor = anchor;
    this.#allowed = allowed;
  }

  /** The first at or after `from`, or null when there is none within the hops of a search. */
  next(from: number): number | null {
    let at = this.#alignedUp(from);
    for (let hop = 0; hop < hopsMax; hop += 1) {
      if (this.#isAllowed(at)) return at;
      const allowed = this.#allowed?.next(at) ?? null;
      if (allowed === null) return null;
      at = this.#alignedUp(allowed);
    }
    return null;
  }

  /** The last in [from, until], or null. */
  last(from: number, until: number): number | null {
    let at = this.#alignedDown(until);
    for (let hop = 0; hop < hopsMax && at > this.#anchor && at >= from; hop += 1) {
      if (this.#isAllowed(at)) return at;
      const allowed = this.#allowed?.last(from, at) ?? null;
      if (allowed === null) return null;
      at = this.#alignedDown(allowed);
    }
    return null;
  }

  /** How many lie in [from, until), but those that are counted already. */
  count(from: number, until: number, isCounted: ((at: number) => boolean) | null): number {
    if (this.#allowed === null && isCounted === null) {
      const before = (at: number) => Math.floor((at - 1 - this.#anchor) / this.#every);
      return Math.max(0, before(until) - Math.max(0, before(from)));
    }
    let count = 0;
    let inRow = 0;
    for (let at = this.#alignedUp(from); at < until; at += this.#every) {
      if (this.#isAllowed(at)) {
        inRow = 0;
        if (isCounted === null || !isCounted(at)) count += 1;
        continue;
      }
      inRow += 1;
      if (inRow % excludedBeforeJump !== 0) continue;
      const allowed = this.#allowed?.next(at) ?? null;
      if (allowed === null) return count;
      at = this.#alignedUp(allowed) - this.#every;
    }
    return count;
  }

  /** Whether an instant that is not excluded is one of them. */
  has(at: number): boolean {
    return at > this.#anchor && (at - this.#anchor) % this.#every === 0;
  }

  #isAllowed(at: number): boolean {
    return this.#allowed === null || this.#allowed.has(at);
  }

  #alignedUp(at: number): number {
    const passed = Math.ceil((at - this.#anchor) / this.#every);
    return this.#anchor + Math.max(1, passed) * this.#every;
  }

  #alignedDown(at: number): number {
    return this.#anchor + Math.floor((at - this.#anchor) / this.#every) * this.#every;
  }
}

/** A search for where it goes on costs more than a look at a few more ticks. */
const excludedBeforeJump = 8;

/**
 * How often a search that landed on an excluded instant goes on from the next that is none. Each
 * hop is an allowed stretch that the ticks leave out; so many in a row are only seen of ticks that
 * are excluded for good, as those of 14s at even seconds when all even seconds are.
 */
const hopsMax = 10_000;
