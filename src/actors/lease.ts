/** The share of the TTL after which a process that could not renew must be dead (DESIGN, P8). */
export const fenceShare = 0.8;

/**
 * Until when this session may act: an instant of the host's boot clock, in memory that the workers
 * share, so that the last check before a spawn reads it without asking anybody. It counts from when
 * the renewal that was acknowledged was *sent*.
 */
export class Lease {
  readonly deadline: SharedArrayBuffer;
  readonly #view: Float64Array;
  readonly #fenceMs: number;
  readonly #bootNowMs: () => number;
  readonly #tellGuardian: (deadlineBootMs: number) => void;

  constructor(parts: {
    ttlMs: number;
    bootNowMs: () => number;
    deadline: SharedArrayBuffer;
    tellGuardian: (deadlineBootMs: number) => void;
  }) {
    this.deadline = parts.deadline;
    this.#view = new Float64Array(parts.deadline);
    this.#fenceMs = parts.ttlMs * fenceShare;
    this.#bootNowMs = parts.bootNowMs;
    this.#tellGuardian = parts.tellGuardian;
  }

  /** The boot clock before a renewal is sent. */
  readBootClockMs(): number {
    return this.#bootNowMs();
  }

  /**
   * Extends the lease after the acknowledgement of a renewal that was sent at the given instant.
   */
  extend(sentBootMs: number): void {
    const deadlineBootMs = Math.max(this.#view[0] ?? 0, sentBootMs + this.#fenceMs);
    this.#view[0] = deadlineBootMs;
    this.#tellGuardian(deadlineBootMs);
  }

  /** How long ago the last renewal that was acknowledged had been sent. */
  silentMs(): number {
    return this.#fenceMs - this.leftMs();
  }

  /** Milliseconds of the lease that are left; negative when it is over. */
  leftMs(): number {
    return (this.#view[0] ?? 0) - this.#bootNowMs();
  }
}
