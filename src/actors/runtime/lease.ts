/**
 * The share of the TTL after which a process that could not renew must be dead (ARCHITECTURE.md,
 * P8).
 */
const fenceShare = 0.8;

/**
 * Until when this session may act: an instant of the host's boot clock, published to everybody who
 * watches it or looks at it last before a spawn. It counts from when the renewal that was
 * acknowledged was *sent*.
 */
export class Lease {
  #deadlineBootMs = 0;
  readonly #fenceMs: number;
  readonly #bootNowMs: () => number;
  readonly #publish: (deadlineBootMs: number) => void;
  /** When the last renewal was sent. */
  #sentBootMs = 0;

  constructor(parts: {
    ttlMs: number;
    bootNowMs: () => number;
    publish: (deadlineBootMs: number) => void;
  }) {
    this.#fenceMs = parts.ttlMs * fenceShare;
    this.#bootNowMs = parts.bootNowMs;
    this.#publish = parts.publish;
  }

  /** The clock that the lease is measured by; a look at it changes nothing. */
  readBootClockMs(): number {
    return this.#bootNowMs();
  }

  /** Notes and returns when a renewal is sent; it is unanswered until the lease is extended. */
  noteRenewalSent(): number {
    this.#sentBootMs = this.#bootNowMs();
    return this.#sentBootMs;
  }

  /** The last renewal that was sent has not been acknowledged, so this may be the last lease. */
  isUnanswered(): boolean {
    return this.#sentBootMs + this.#fenceMs > this.#deadlineBootMs;
  }

  /**
   * Extends the lease after the acknowledgement of a renewal that was sent at the given instant.
   */
  extend(sentBootMs: number): void {
    this.#deadlineBootMs = Math.max(this.#deadlineBootMs, sentBootMs + this.#fenceMs);
    this.#publish(this.#deadlineBootMs);
  }

  /** How long ago the last renewal that was acknowledged had been sent. */
  silentMs(): number {
    return this.#fenceMs - this.leftMs();
  }

  /** Milliseconds of the lease that are left; negative when it is over. */
  leftMs(): number {
    return this.#deadlineBootMs - this.#bootNowMs();
  }
}
