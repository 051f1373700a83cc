import type { SessionEnd } from '../../domain/reasons/sessionEnd.ts';
import { sessionEnds } from '../../domain/reasons/sessionEnd.ts';
import { lineOfError, RenewalRecord } from '../../exec/lease/renewalRecord.ts';

/** The share of the TTL after which a process that could not renew must be dead (P8). */
const fenceShare = 0.8;

/**
 * Until when this session may act: an instant of the host's boot clock, published to all who look
 * at it before a spawn. It counts from when the acknowledged renewal was *sent*.
 */
export class Lease {
  #deadlineBootMs = 0;
  /** When the last renewal was sent. */
  #sentBootMs = 0;
  readonly #fenceMs: number;
  /** The clock that the lease is measured by. */
  readonly readBootClockMs: () => number;
  readonly #publish: (deadlineBootMs: number, sentBootMs: number) => void;
  readonly #publishFailure: (atBootMs: number, error: string) => void;
  readonly #renewals = new RenewalRecord();

  constructor(parts: {
    ttlMs: number;
    bootNowMs: () => number;
    publish: (deadlineBootMs: number, sentBootMs: number) => void;
    /** Of a renewal that was not confirmed; absent: nobody is to know. */
    publishFailure?: (atBootMs: number, error: string) => void;
  }) {
    this.#fenceMs = parts.ttlMs * fenceShare;
    this.readBootClockMs = parts.bootNowMs;
    this.#publish = parts.publish;
    this.#publishFailure = parts.publishFailure ?? (() => {});
  }

  /** Notes and returns when a renewal is sent; it is unanswered until the lease is extended. */
  noteRenewalSent(): number {
    this.#sentBootMs = this.readBootClockMs();
    return this.#sentBootMs;
  }

  /** The last renewal that was sent has not been acknowledged, so this may be the last lease. */
  isUnanswered(): boolean {
    return this.#sentBootMs + this.#fenceMs > this.#deadlineBootMs;
  }

  /** Extends the lease by a renewal that was acknowledged, from when it was sent. */
  extend(sentBootMs: number): void {
    this.#deadlineBootMs = Math.max(this.#deadlineBootMs, sentBootMs + this.#fenceMs);
    this.#renewals.confirmed(sentBootMs);
    this.#publish(this.#deadlineBootMs, sentBootMs);
  }

  /** Notes that a renewal was not confirmed. */
  noteRenewalFailed(error: unknown): void {
    const [atMs, line] = [this.readBootClockMs(), lineOfError(error)];
    this.#renewals.failed(atMs, line);
    this.#publishFailure(atMs, line);
  }

  /** Why the session, which is lost now, was lost. */
  whyLost(): SessionEnd {
    if (this.leftMs() > 0) return sessionEnds.endedByOthers;
    return this.#renewals.whyOver(this.readBootClockMs());
  }

  /** How long ago the last renewal that was acknowledged had been sent. */
  silentMs(): number {
    return this.#fenceMs - this.leftMs();
  }

  /** Milliseconds of the lease that are left; negative when it is over. */
  leftMs(): number {
    return this.#deadlineBootMs - this.readBootClockMs();
  }
}
