import { reasons } from '../reasons/reasons.ts';
import type { Trigger } from '../run/run.ts';
import { makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';
import {
  type ClaimPolicies,
  type SlotPast,
  sortInOrder,
  sortTicks,
  type TickToLaunch,
  type WhenPassed,
} from './sortTicks.ts';

/** A requested launch, which has a row of its own. */
export interface PendingLaunch {
  readonly trigger: Trigger;
  readonly scheduledForMs: number;
  readonly attempt: number;
  readonly notBeforeMs: number;
}

interface ClaimableSlot extends SlotPast {
  /** The earliest pending launch, or null. */
  readonly pending: PendingLaunch | null;
}

export interface ClaimDecision {
  /** Null: nothing is to be launched yet, only the cursor moves past the ranges. */
  launch: (Omit<PendingLaunch, 'notBeforeMs'> & { readonly fromPending: boolean }) | null;
  cursorMs: number | null;
  ranges: TickRange[];
  /** Ticks that the cursor passes and that wait their turn: each becomes a pending launch. */
  queued: number[];
}

/**
 * What a claim takes, and how it accounts for every tick that the cursor passes (P19). Ticks that
 * fell while the slot's last launch was executing are the overlap policy's; those that nobody was
 * there for are the misfire policy's, and cost the same whatever their number (P12); `all` leaves
 * the cursor at the oldest of them, so that they are launched one by one, in order. A tick or a
 * pending launch that is further ahead than `aheadMs` is left for later.
 */
export function decideClaim(
  slot: ClaimableSlot,
  ticks: TickSource,
  nowMs: number,
  policies: ClaimPolicies = {},
  aheadMs = Number.POSITIVE_INFINITY,
): ClaimDecision {
  const sort = policies.misfire === 'all' ? sortInOrder : sortTicks;
  const { waiting, cursorMs, whenPassed, ranges } = sort(slot, ticks, nowMs, policies);
  const [first, ...others] = waiting;
  if (first === undefined) return takeAhead(slot.pending, cursorMs, ranges, ticks, nowMs + aheadMs);
  const queued = others.map(({ tickMs }) => tickMs);
  const { pending } = slot;
  if (pending === null || !goesBefore(pending, first, nowMs, whenPassed)) {
    const launch = launchOf(first.trigger, first.tickMs);
    return { launch, cursorMs, ranges, queued };
  }
  const launch = launchOfPending(pending);
  if (whenPassed === 'gives way') {
    const { tickMs } = first;
    const skipped = makeTickRange('skipped', ticks, tickMs, tickMs, reasons.gaveWay);
    return { launch, cursorMs, ranges: [...ranges, skipped], queued };
  }
  return whenPassed === 'stays'
    ? { launch, cursorMs: first.tickMs, ranges, queued }
    : { launch, cursorMs, ranges, queued: [first.tickMs, ...queued] };
}

/** Every tick that was due is dealt with: the earlier of cursor and pending wins. */
function takeAhead(
  pending: PendingLaunch | null,
  cursorMs: number | null,
  ranges: TickRange[],
  ticks: TickSource,
  untilMs: number,
): ClaimDecision {
  const isNext = pending !== null && (cursorMs === null || pending.notBeforeMs <= cursorMs);
  const nextMs = isNext ? pending.notBeforeMs : cursorMs;
  if (nextMs === null || nextMs > untilMs) return { launch: null, cursorMs, ranges, queued: [] };
  if (isNext) return { launch: launchOfPending(pending), cursorMs, ranges, queued: [] };
  const launch = launchOf('schedule', nextMs);
  return { launch, cursorMs: ticks.next(nextMs), ranges, queued: [] };
}

/**
 * A make-up goes first: a pending run before it would look like the reason for the missed ticks.
 * But a backlog that is made up for in order holds up no run that is requested now; ticks that
 * wait their turn are older than every tick that comes due; and among them the earlier is first,
 * as it is before a tick that replaces the run: where every run lasts into the next tick, what is
 * pending would never have its turn.
 */
function goesBefore(
  pending: PendingLaunch,
  first: TickToLaunch,
  nowMs: number,
  whenPassed: WhenPassed,
): boolean {
  if (pending.notBeforeMs > nowMs) return false;
  if (whenPassed === 'stays' || pending.trigger === 'queue') return true;
  const isInTurn = first.trigger === 'queue' || whenPassed === 'gives way';
  return isInTurn && pending.notBeforeMs <= first.tickMs;
}

function launchOfPending({ trigger, scheduledForMs, attempt }: PendingLaunch) {
  return { trigger, scheduledForMs, attempt, fromPending: true };
}

function launchOf(trigger: Trigger, scheduledForMs: number) {
  return { trigger, scheduledForMs, attempt: 1, fromPending: false };
}
