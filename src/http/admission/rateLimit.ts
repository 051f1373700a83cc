/** So many at once, then one more each period. */
interface Rate {
  readonly atOnce: number;
  readonly refillMs: number;
}

const keysMax = 10_000;

/**
 * How often something may be done by each key, e.g. an address or a token. What it remembers is
 * bounded; the key that was not used for longest is forgotten first.
 */
export class RateLimit {
  readonly #buckets = new Map<string, { left: number; atMs: number }>();
  readonly #rate: Rate;
  readonly #nowMs: () => number;

  constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  /** Counts one more. Returns 0, or, when there was one too many, how long to wait (ms). */
  take(key: string): number {
    const { atOnce, refillMs } = this.#rate;
    const nowMs = this.#nowMs();
    const bucket = this.#buckets.get(key);
    const since = bucket === undefined ? atOnce : bucket.left + (nowMs - bucket.atMs) / refillMs;
    const left = Math.min(atOnce, since);
    const waitMs = left >= 1 ? 0 : Math.ceil((1 - left) * refillMs);
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: waitMs === 0 ? left - 1 : left, atMs: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= keysMax) break;
      this.#buckets.delete(oldest);
    }
    return waitMs;
  }
}
