import type { SessionRecord } from './records.ts';

/** What one verification is bounded by, and what it judges times with. */
export interface VerifyScope {
  /** The database's clock in the snapshot. */
  readonly nowMs: number;
  /** Ticks before it, and runs that ended before it, are not looked at. */
  readonly sinceMs: number;
  /**
   * How much two instants may differ that were recorded by different members of a cluster. On one
   * server there is one clock, and it is 0.
   */
  readonly clockSlackMs: number;
  /** Since when a node has been there to free what ended sessions held; null: none is there. */
  readonly reaperSinceMs: number | null;
}

/** Since when one of the sessions has been live without a break, or null. */
export function findReaperSince(sessions: readonly SessionRecord[], nowMs: number): number | null {
  const live = sessions.filter((session) => session.isLive && !isStale(session, nowMs));
  return live.length === 0 ? null : Math.min(...live.map(({ startedMs }) => startedMs));
}

/** A live session not renewed for twice its TTL: a node that is there would have ended it. */
export function isStale({ renewedMs, ttlMs }: SessionRecord, nowMs: number): boolean {
  return nowMs - renewedMs > 2 * ttlMs + roundMs;
}

/** A reaper's round, with the waits for locks in it. */
const roundMs = 5_000;
