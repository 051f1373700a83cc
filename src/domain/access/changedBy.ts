/** Who requested a change, and how: what the audit log records of it. */
export interface ChangedBy {
  /**
   * A token's name; of `proxy` the person's, as the proxy names it; of `cli` the `user@host` of a
   * command that speaks to the database itself.
   */
  readonly actor: string;
  readonly via: 'api' | 'cli' | 'proxy';
  /** Of the HTTP request, or of the command. */
  readonly requestId: string;
  /** The client's address; null for a command. */
  readonly address: string | null;
  /** The only groups whose jobs it may change; absent or null: every job, and what is no job's. */
  readonly groups?: readonly string[] | null;
  /** The idempotency key that the request came with, while it is this request's; absent: none. */
  readonly keyClaim?: KeyClaim;
}

/**
 * An idempotency key as one request holds it. A repeat that finds the holder silent for long takes
 * it over with the next number, after which nothing of the earlier holder can be committed.
 */
export interface KeyClaim {
  /** SHA-256 of the caller and the key. */
  readonly keyHash: Uint8Array;
  readonly takenNo: number;
}
