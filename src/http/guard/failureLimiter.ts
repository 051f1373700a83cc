/** So many failures at once, then one more each period. */
const burst = 10;
const refillMs = 6_000;
const keysMax = 10_000;
/** Credentials that were good a while ago: a flood of bad ones locks nobody else out. */
const goodMax = 1_000;

/**
 * Bounds how often credentials that are no good may be tried, by address and by token. Refusing
 * costs nothing: no hash, no look into the database. What it remembers is bounded; the oldest is
 * forgotten first.
 */
export class FailureLimiter {
  readonly #buckets = new Map<string, { left: number; atMs: number }>();
  readonly #good = new Set<string>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Milliseconds until any of the keys may be tried again; 0: now. */
  waitMs(keys: readonly string[], credentials: string): number {
    if (this.#good.has(credentials)) return 0;
    return Math.max(0, ...keys.map((key) => this.#waitOf(key)));
  }

  failed(keys: readonly string[], credentials: string): void {
    this.#good.delete(credentials);
    for (const key of keys) {
      const left = this.#leftOf(key) - 1;
      this.#buckets.delete(key);
      this.#buckets.set(key, { left: Math.max(0, left), atMs: this.#nowMs() });
    }
    dropOldest(this.#buckets, keysMax);
  }

  succeeded(credentials: string): void {
    this.#good.delete(credentials);
    this.#good.add(credentials);
    dropOldest(this.#good, goodMax);
  }

  #waitOf(key: string): number {
    const left = this.#leftOf(key);
    return left >= 1 ? 0 : Math.ceil((1 - left) * refillMs);
  }

  #leftOf(key: string): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.left + (this.#nowMs() - bucket.atMs) / refillMs);
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>, keptMax: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= keptMax) return;
    kept.delete(key);
  }
}
