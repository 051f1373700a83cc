import type { JobDefinition } from '../job/jobDefinition.ts';
import type { TickSource } from '../run/tickSource.ts';
import { type ClaimDecision, decideClaim, type PendingLaunch } from './claimDecision.ts';
import { observeTicks } from './observeTicks.ts';
import { startAt, startBefore } from './startAt.ts';

/**
 * What the slots of one job and node name have in common: their cursor, and what waits for them. A
 * claim of one of them changes it for the next.
 */
export interface SlotsPast<Pending extends PendingLaunch> {
  cursorMs: number | null;
  /** When the last of their launches started. */
  readonly startedMs: number | null;
  /** Up to when none of them was free; null: one always was. */
  readonly endedMs: number | null;
  /** The earliest pending launches, as many as there are slots. */
  pending: readonly Pending[];
  /** How many of all pending launches are ticks that wait their turn. */
  waiting: number;
  /** They are several, side by side. */
  readonly isParallel: boolean;
}

/** One slot's part of a claim. */
export interface SlotClaim<Pending extends PendingLaunch> {
  readonly decision: ClaimDecision;
  readonly startAtMs: number;
  /** The pending launch that it takes, or null. */
  readonly taken: Pending | null;
  /** Pending launches that it ends, since their start deadline is over. */
  readonly late: readonly Pending[];
}

interface ClaimTerms {
  readonly definition: JobDefinition;
  readonly ticks: TickSource;
  readonly nowMs: number;
  readonly aheadMs: number;
}

/**
 * Decides for one slot that is due; what it takes and passes is gone for its siblings. Null: a
 * sibling before it in this claim has taken what was due.
 */
export function claimForSlot<Pending extends PendingLaunch>(
  past: SlotsPast<Pending>,
  { definition, ticks, nowMs, aheadMs }: ClaimTerms,
): SlotClaim<Pending> | null {
  const isLate = (pending: Pending): boolean => {
    const startBeforeMs = startBefore(definition, pending, startAt(definition, pending));
    return startBeforeMs !== null && nowMs > startBeforeMs;
  };
  const late = past.pending.filter(isLate);
  const inTime = past.pending.filter((pending) => !isLate(pending));
  const [pending = null] = inTime;
  const dueMs = Math.min(past.cursorMs ?? Infinity, pending?.notBeforeMs ?? Infinity);
  if (past.isParallel && dueMs > nowMs + aheadMs && late.length === 0) return null;
  const decision =
    definition.observed === true
      ? observeTicks(past, pending, ticks, { nowMs, aheadMs, policies: definition })
      : decideClaim({ ...past, pending }, ticks, nowMs, definition, aheadMs);
  if (decision === null && late.length === 0) return null;
  const { launch, ...passed } = decision ?? nothing(past.cursorMs);
  const taken = launch?.fromPending === true ? pending : null;
  past.pending = inTime.filter((each) => each !== taken);
  past.cursorMs = passed.cursorMs;
  past.waiting += passed.queued.length - (taken?.trigger === 'queue' ? 1 : 0);
  const startAtMs =
    launch === null
      ? nowMs
      : startAt(definition, { ...launch, notBeforeMs: taken?.notBeforeMs ?? null });
  return { decision: { launch, ...passed }, startAtMs, taken, late };
}

function nothing(cursorMs: number | null): ClaimDecision {
  return { launch: null, cursorMs, ranges: [], queued: [] };
}

/** One of several slots side by side, idle or not. */
interface Sibling {
  readonly isIdle: boolean;
  readonly startedMs: number | null;
  readonly lastStartedMs: number | null;
  readonly endedMs: number | null;
}

/**
 * A tick was overlapped only when every slot was busy: up to the earliest end among those that are
 * free now.
 */
export function busyTimes(
  siblings: readonly Sibling[],
): Pick<SlotsPast<PendingLaunch>, 'startedMs' | 'endedMs'> {
  const never = Number.NEGATIVE_INFINITY;
  const starts = siblings.flatMap((each) => [each.startedMs ?? never, each.lastStartedMs ?? never]);
  const free = siblings.filter(({ isIdle }) => isIdle);
  return { startedMs: finite(Math.max(...starts)), endedMs: freeSince(free) };
}

/** The earliest end among slots that are free; null: there is none, or one was always free. */
export function freeSince(free: readonly { readonly endedMs: number | null }[]): number | null {
  return finite(Math.min(...free.map(({ endedMs }) => endedMs ?? Number.NEGATIVE_INFINITY)));
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}
