import type { Launch } from '../run/launch.ts';
import type { Execution } from '../run/run.ts';
import type { Share } from '../run/share.ts';

/**
 * A slot's address as every request carries it: the row, its lock, and the launch that it holds.
 */
interface SlotAddress {
  readonly slotId: number;
  readonly stripe: number;
  readonly launchId: string;
}

export interface ClaimRequest {
  readonly kind: 'claim';
  /** The own share, on which claims look ahead to `aheadMs`. */
  readonly share: Share;
  /** Stripes with something due, as the unlocked peek saw them: these are locked. */
  readonly dueStripes: readonly number[];
  readonly aheadMs: number;
  /** How far ahead slots of any stripe are claimed, so that a full or dead owner delays nothing. */
  readonly aheadAnywhereMs: number;
  readonly slotsMax: number;
}

export interface StartRequest extends SlotAddress {
  readonly kind: 'start';
  /** When it ought to start, when it is requested shortly ahead of it; null: that is over. */
  readonly waitUntilMs: number | null;
  /** It ought to start later than at its tick: its row says when. Absent: at its tick. */
  readonly isDelayed?: boolean;
  /** After this instant it is not started any more; absent: whenever it can. */
  readonly startBeforeMs?: number;
  /** What is started, for its notifications; absent: nobody is notified. */
  readonly launch?: Launch;
}

export interface FinishRequest extends SlotAddress {
  readonly kind: 'finish';
  readonly execution: Execution;
  /** When it ended by the database's clock, as far as its host knew it; absent: now. */
  readonly endedMs?: number;
}

export interface ResetRequest extends SlotAddress {
  readonly kind: 'reset';
  /** `own`: nobody in this process knows it. `overdue`: another live node let its tick pass. */
  readonly why: 'own' | 'overdue' | 'draining';
}

/** Slots of an ended session, on the given stripes. */
export interface ReapRequest {
  readonly kind: 'reap';
  readonly sessionId: string;
  readonly stripes: readonly number[];
}

export type BatchRequest = ClaimRequest | StartRequest | FinishRequest | ResetRequest | ReapRequest;

/**
 * What became of one request. `done` and `refused` count only once the batch's COMMIT was
 * acknowledged. `busy`: its stripe was held by somebody; try again. `early`: the tick has not come
 * by the database's clock, or its stripe is held while others want to run: try again soon.
 */
export type Verdict =
  | { readonly verdict: 'done' }
  | {
      readonly verdict: 'claimed';
      readonly launches: readonly Launch[];
      readonly passed: number;
      /** Stripes that were requested and held by somebody else. */
      readonly busyStripes?: readonly number[];
    }
  | { readonly verdict: 'reaped'; readonly stripes: readonly number[]; readonly slots: number }
  | { readonly verdict: 'refused'; readonly reason: string }
  | { readonly verdict: 'early' }
  | { readonly verdict: 'busy' };

export const done: Verdict = { verdict: 'done' };
export const busy: Verdict = { verdict: 'busy' };
export const early: Verdict = { verdict: 'early' };
export const refusedAs = (reason: string): Verdict => ({ verdict: 'refused', reason });
