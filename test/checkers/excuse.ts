import type { Span } from './outages.ts';

/** Why a tick starts late, or not at all. */
export interface Excuse {
  readonly why: string;
  /** So late it may be; null: it need not start. */
  readonly untilMs: number | null;
}

/** What is forgiven: C1 forgives as much as the bounds allow, the availability less. */
export interface Allowance {
  /** How late a start may be when there is no excuse. */
  readonly lateMs: number;
  /** How long after an outage, or the stop of a node, others than what it held may be late. */
  readonly recoveryMs: (outage: Span) => number;
}
