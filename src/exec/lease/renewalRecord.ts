import { type SessionEnd, sessionEnds } from '../../domain/reasons/sessionEnd.ts';

const errorCharactersMax = 160;

/**
 * What became of the renewals of one lease: the node keeps one, and the guardian another from what
 * the node reports, since a node that is killed can say nothing. Instants of the boot clock.
 */
export class RenewalRecord {
  #confirmedMs: number | null = null;
  #failures = 0;
  #lastFailureMs = 0;
  #lastError = '';

  /** A renewal was confirmed that had been sent then. */
  confirmed(sentMs: number): void {
    this.#confirmedMs = sentMs;
    this.#failures = 0;
  }

  failed(atMs: number, error: string): void {
    this.#failures += 1;
    this.#lastFailureMs = atMs;
    this.#lastError = error;
  }

  /** Since when no renewal was confirmed, of which some failed; null: none did. */
  get unansweredMs(): number | null {
    return this.#failures === 0 ? null : this.#confirmedMs;
  }

  /** Why the lease, which is over now, was not renewed. */
  whyOver(nowMs: number): SessionEnd {
    const sinceMs = this.#confirmedMs ?? nowMs;
    if (this.#failures === 0) return sessionEnds.stoodStill(nowMs - sinceMs);
    return sessionEnds.notConfirmed({
      count: this.#failures,
      lastError: this.#lastError,
      forMs: this.#lastFailureMs - sinceMs,
      silentMs: nowMs - this.#lastFailureMs,
    });
  }
}

/** An error as one short line. An error of several addresses has a code and no message. */
export function lineOfError(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const text = `${message || code || error}`.replaceAll(/\s+/g, ' ').trim();
  return text.length > errorCharactersMax ? `${text.slice(0, errorCharactersMax)}…` : text;
}
