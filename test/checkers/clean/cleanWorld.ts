import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What happens in a made-up history; times are milliseconds since it began. */
export interface CleanPlan {
  readonly seed: number;
  readonly nodes: readonly string[];
  readonly untilMs: number;
  readonly jobs: readonly PlannedJob[];
  readonly deaths: readonly PlannedEnd[];
  readonly drains: readonly PlannedEnd[];
  readonly outage: { readonly fromMs: number; readonly untilMs: number } | null;
  /** The database's clock is stepped by so much then; 0: not at all. */
  readonly step: { readonly atMs: number; readonly byMs: number } | null;
}

export interface PlannedJob {
  readonly name: string;
  readonly schedule: string;
  readonly runMs: number;
  readonly operations: readonly PlannedOperation[];
  /** A job with policies is asked nothing while it lives. */
  readonly policies?: JobPolicies;
}

export interface PlannedOperation {
  readonly kind: 'edit' | 'pause' | 'resume' | 'remove' | 'run';
  readonly atMs: number;
  /** Of an edit. */
  readonly schedule?: string;
}

export interface PlannedEnd {
  readonly node: string;
  readonly atMs: number;
}

/** One life of a node in a made-up history, by the boot clock. */
export interface CleanSession {
  readonly sessionId: string;
  readonly node: string;
  readonly connectionId: number;
  readonly joinedMs: number;
  /** From then on it claims and starts nothing. */
  readonly actsUntilMs: number;
  /** When its children were killed; null: it left in order. */
  readonly diedMs: number | null;
  readonly endedMs: number | null;
}

export const bootStartMs = 5_000_000;
/** A whole minute, so that ticks are easily reckoned. */
export const databaseStartMs = Date.UTC(2026, 2, 1, 12, 0, 0);
export const ttlMs = 5_000;

/** The sessions of a plan: each node has one from the start and another after each end. */
export function cleanSessions(plan: CleanPlan): CleanSession[] {
  return plan.nodes.flatMap((node, place) => {
    const ends = [
      ...plan.deaths.map((end) => ({ ...end, isDeath: true })),
      ...plan.drains.map((end) => ({ ...end, isDeath: false })),
    ].filter((end) => end.node === node);
    ends.sort((a, b) => a.atMs - b.atMs);
    const sessions: CleanSession[] = [];
    let joinedMs = bootStartMs + 100 + place * 10;
    for (const end of [...ends, null]) {
      const number = sessions.length + 1;
      const endMs = end === null ? Number.POSITIVE_INFINITY : bootStartMs + end.atMs;
      const isDeath = end?.isDeath === true;
      const endedMs = end === null ? null : endMs + (isDeath ? ttlMs : drainMs);
      sessions.push({
        sessionId: `s${node}${number}`,
        node,
        connectionId: 10 * (place + 1) + number,
        joinedMs,
        actsUntilMs: endMs,
        diedMs: isDeath ? endMs : null,
        endedMs,
      });
      joinedMs = (endedMs ?? 0) + 100;
    }
    return sessions;
  });
}

/** Longer than any run of a plan lasts. */
const drainMs = 3_000;
