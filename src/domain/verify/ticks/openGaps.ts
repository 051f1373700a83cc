import { firstPlace, type NamedTicks } from './namedTicks.ts';

/** Ticks from the first to the last, both of them ticks and both included. */
export interface Gap {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The ticks behind the frontier that no row has accounted for yet, as few intervals: a row that
 * comes late, such as the end of a run that outlived an edit, fills them in. Bounded: of more gaps
 * than `gapsMax` the oldest half is settled, that is given up as missing.
 */
export class OpenGaps {
  readonly #named: NamedTicks;
  readonly #settle: (gap: Gap) => void;
  readonly #gapsMax: number;
  #gaps: Gap[] = [];
  /** Before this nothing is known any more, since gaps there were settled. */
  #settledMs = -Infinity;

  constructor(named: NamedTicks, settle: (gap: Gap) => void, gapsMax = 10_000) {
    this.#named = named;
    this.#settle = settle;
    this.#gapsMax = gapsMax;
  }

  /** Adds ticks later than all that were added before. */
  add(fromMs: number, untilMs: number): void {
    this.#gaps.push({ fromMs, untilMs });
    if (this.#gaps.length > this.#gapsMax) this.#settleOldest(this.#gapsMax >>> 1);
  }

  /** Takes the ticks in [fromMs, untilMs] out, and returns how many there were. */
  take(fromMs: number, untilMs: number): number {
    let taken = 0;
    for (let place = this.#placeOf(fromMs); ; ) {
      const gap = this.#gaps[place];
      if (gap === undefined || gap.fromMs > untilMs) return taken;
      const firstMs = Math.max(gap.fromMs, fromMs);
      const lastMs = Math.min(gap.untilMs, untilMs);
      taken += this.#named.count(firstMs, lastMs);
      const rest = this.#restOf(gap, firstMs, lastMs);
      this.#gaps.splice(place, 1, ...rest);
      place += rest.length;
    }
  }

  /** Whether so early a tick may have been settled as missing, so that no row of it is a second. */
  isSettled(atMs: number): boolean {
    return atMs <= this.#settledMs;
  }

  /** Gives up what is left before the end; later ticks are owed by nobody. */
  settleBefore(endMs: number): void {
    for (const { fromMs, untilMs } of this.#gaps) {
      if (fromMs >= endMs) break;
      const lastMs = untilMs < endMs ? untilMs : (this.#named.last(endMs - 1) ?? fromMs);
      this.#settle({ fromMs, untilMs: lastMs });
    }
    this.#gaps = [];
  }

  #restOf(gap: Gap, firstMs: number, lastMs: number): Gap[] {
    const rest: Gap[] = [];
    if (gap.fromMs < firstMs) {
      rest.push({ fromMs: gap.fromMs, untilMs: this.#named.last(firstMs - 1) ?? gap.fromMs });
    }
    const nextMs = gap.untilMs > lastMs ? this.#named.next(lastMs) : null;
    if (nextMs !== null) rest.push({ fromMs: nextMs, untilMs: gap.untilMs });
    return rest;
  }

  /** The place of the first gap that ends at or after the instant. */
  #placeOf(atMs: number): number {
    return firstPlace(this.#gaps, ({ untilMs }) => untilMs >= atMs);
  }

  #settleOldest(count: number): void {
    for (const gap of this.#gaps.splice(0, count)) {
      this.#settle(gap);
      this.#settledMs = gap.untilMs;
    }
  }
}
