import { type Reason, reasons } from '../reasons/reasons.ts';
import type { SlotState } from '../run/arrows.ts';
import type { Trigger } from '../run/run.ts';
import {
  lastTickFrom,
  makeTickRange,
  noTicks,
  type TickRange,
  type TickSource,
} from '../run/tickSource.ts';
import { decideClaim } from './claimDecision.ts';
import { passOverlapped } from './passOverlapped.ts';
import type { ClaimPolicies, SlotPast } from './sortTicks.ts';

/** What an operator does to a job; each closes one revision and opens the next. */
export type JobChangeKind = 'edit' | 'pause' | 'resume' | 'remove';

/** The same for its slots; `observe`: an edit of a live job into one that is observed. */
export type SlotChangeKind = JobChangeKind | 'observe';

/** Kinds that end what has not started, and the reason by which it ends. */
export const endReasons = {
  pause: reasons.paused,
  remove: reasons.removed,
  observe: reasons.observed,
} as const;

/** Whether what has not started ends with the change. */
export function endsAll(kind: SlotChangeKind): kind is keyof typeof endReasons {
  return kind in endReasons;
}

export interface JobChange {
  readonly kind: SlotChangeKind;
  /** The instant at which the old revision ends and the new one begins: half open (P19). */
  readonly inForceFromMs: number;
  /** Null: the old revision names no ticks, since it was paused. */
  readonly oldTicks: TickSource | null;
  /** Null: the new revision names no ticks, since the job is paused or removed. */
  readonly newTicks: TickSource | null;
  /** Those of the old revision; absent: the defaults. */
  readonly policies?: ClaimPolicies;
}

export interface ChangingSlot extends Omit<SlotPast, 'startedMs'> {
  readonly state: SlotState;
  /** One of several side by side: what it holds does not become the cursor again. */
  readonly isParallel?: boolean;
  /** What the slot holds; null when it is idle. */
  readonly launch: { readonly trigger: Trigger; readonly scheduledForMs: number } | null;
}

export interface SlotChange {
  /**
   * What becomes of a prepared launch. `kept`: its tick or request is put back and runs under the
   * new revision. `skipped`: it gets a run row. `dropped`: its tick is one that the old revision
   * never came to, so there is nothing to account for. `none`: nothing was prepared.
   */
  readonly prepared: 'none' | 'kept' | 'skipped' | 'dropped';
  /** The slot's cursor under the new revision. */
  readonly cursorMs: number | null;
  /** History rows, of the old revision, for ticks that end here without a launch. */
  readonly ranges: readonly TickRange[];
  /** Ticks of the old revision that wait their turn: each becomes a pending launch. */
  readonly queued: readonly number[];
}

/**
 * From when on a change is in force: from now, but later than the revision before it, and later
 * than every tick that has been dealt with already. So no tick belongs to two revisions, not even
 * when an edit falls into the very millisecond of a start, a launch was stopped ahead of its tick,
 * or the database's clock was stepped back.
 */
export function chooseInForceFrom(
  nowMs: number,
  oldFromMs: number,
  oldTicks: TickSource | null,
  slots: readonly ChangingSlot[],
): number {
  const dealtWith = slots.map(({ launch, cursorMs, state }) => {
    const isOpen = state === 'prepare' && launch !== null && isTick(launch);
    const nextMs = (isOpen ? launch.scheduledForMs : cursorMs) ?? Number.POSITIVE_INFINITY;
    return oldTicks?.lastAtOrBefore(nextMs - 1) ?? Number.NEGATIVE_INFINITY;
  });
  return Math.max(nowMs, oldFromMs + 1, ...dealtWith.map((tickMs) => tickMs + 1));
}

/**
 * What a change of the job does to one slot, so that every tick of the old revision before the
 * change, and none after it, is accounted for (P14, P19). Under an edit the last tick that nobody
 * claimed is kept as the make-up, the earlier ones are `missed`; a pause and a removal keep
 * nothing. An executing slot keeps its launch, and ticks that fell while it executed are `skipped`.
 * Of an observed job every tick is `skipped`, and a launch that it has somebody requested.
 */
export function decideSlotChange(slot: ChangingSlot, change: JobChange): SlotChange {
  const cursorMs = firstOfNew(change);
  const { kind, policies } = change;
  if (policies?.observed === true) {
    const ranges = skippedRange(slot.cursorMs, change, reasons.observed);
    const prepared = slot.launch === null ? 'none' : endsAll(kind) ? 'skipped' : 'kept';
    return { prepared, cursorMs, ranges, queued: [] };
  }
  if (slot.state === 'executing') {
    if (!endsAll(kind)) return { prepared: 'none', cursorMs, ...passExecuting(slot, change) };
    // What would have waited its turn, or have replaced the run, is ended by the change.
    const reason = policies?.overlap === undefined ? reasons.stillGoing : endReasons[kind];
    const ranges = skippedRange(slot.cursorMs, change, reason);
    return { prepared: 'none', cursorMs, ranges, queued: [] };
  }
  return endsAll(kind)
    ? stopSlot(slot, change, cursorMs, endReasons[kind])
    : carrySlot(slot, change, cursorMs);
}

/** Where a slot's cursor stands under the new revision when nothing of the old one is left. */
export function firstOfNew({ inForceFromMs, newTicks }: JobChange): number | null {
  return newTicks?.next(inForceFromMs - 1) ?? null;
}

/** The tick that the slot would come to next, were there no change. */
export function nextOfOld({ cursorMs, isParallel = false, launch }: ChangingSlot): number | null {
  return launch !== null && isTick(launch) && !isParallel ? launch.scheduledForMs : cursorMs;
}

/** One row for the launch, one for all the ticks after it. */
function stopSlot(
  slot: ChangingSlot,
  change: JobChange,
  cursorMs: number | null,
  reason: Reason,
): SlotChange {
  const ranges = skippedRange(slot.cursorMs, change, reason);
  const rest = { cursorMs, ranges, queued: [] };
  if (slot.launch === null) return { prepared: 'none', ...rest };
  const wasDue = !isTick(slot.launch) || slot.launch.scheduledForMs < change.inForceFromMs;
  return { prepared: wasDue ? 'skipped' : 'dropped', ...rest };
}

/** Under an edit: a claim of all that is overdue, whose launch becomes the kept cursor. */
function carrySlot(slot: ChangingSlot, change: JobChange, newCursorMs: number | null): SlotChange {
  const { launch } = slot;
  const wasTick = launch !== null && isTick(launch);
  const isAhead = wasTick && launch.scheduledForMs >= change.inForceFromMs;
  const prepared = launch === null ? 'none' : isAhead ? 'dropped' : 'kept';
  const nextMs = nextOfOld(slot);
  if (nextMs === null || nextMs >= change.inForceFromMs) {
    return { prepared, cursorMs: newCursorMs, ranges: [], queued: [] };
  }
  const ticks = ticksBefore(change.oldTicks, change.inForceFromMs);
  const { startDeadlineMs: _, ...policies } = change.policies ?? {};
  if (policies.misfire === 'all') return { prepared, ...keepLast(ticks, nextMs, change) };
  const past = {
    cursorMs: nextMs,
    endedMs: slot.endedMs,
    waiting: slot.waiting ?? 0,
    pending: null,
  };
  const { launch: next, ...rest } = decideClaim(past, ticks, change.inForceFromMs - 1, policies);
  const { ranges, queued } = rest;
  // Behind a kept cursor no tick of the old revision may stand that is accounted for already: a
  // range from the one on would have the other in it again. So what waits its turn goes on waiting.
  if (next?.trigger === 'queue' && ticks.next(next.scheduledForMs) !== null) {
    return { prepared, cursorMs: newCursorMs, ranges, queued: [next.scheduledForMs, ...queued] };
  }
  return { prepared, cursorMs: next?.scheduledForMs ?? newCursorMs, ranges, queued };
}

/** A backlog of every missed tick ends with its revision: the last of them is made up for. */
function keepLast(
  ticks: TickSource,
  fromMs: number,
  { inForceFromMs }: JobChange,
): Omit<SlotChange, 'prepared'> {
  const cursorMs = lastTickFrom(ticks, fromMs, inForceFromMs - 1);
  if (cursorMs === fromMs) return { cursorMs, ranges: [], queued: [] };
  const untilMs = lastTickFrom(ticks, fromMs, cursorMs - 1);
  const range = makeTickRange('missed', ticks, fromMs, untilMs, reasons.edited);
  return { cursorMs, ranges: [range], queued: [] };
}

/** Under an edit while a launch executes: what its overlap policy makes wait goes on waiting. */
function passExecuting(
  slot: ChangingSlot,
  change: JobChange,
): Pick<SlotChange, 'ranges' | 'queued'> {
  const { overlap, misfire } = change.policies ?? {};
  const { cursorMs: fromMs } = slot;
  if (overlap === undefined || misfire === 'all' || slot.isParallel === true) {
    const reason = misfire === 'all' ? reasons.edited : reasons.stillGoing;
    return { ranges: skippedRange(fromMs, change, reason), queued: [] };
  }
  if (fromMs === null || fromMs >= change.inForceFromMs) return { ranges: [], queued: [] };
  const ticks = ticksBefore(change.oldTicks, change.inForceFromMs);
  const endMs = change.inForceFromMs - 1;
  const { ranges, waiting } = passOverlapped(ticks, fromMs, endMs, overlap, slot.waiting);
  return { ranges, queued: waiting };
}

function isTick(launch: { trigger: Trigger }): boolean {
  return launch.trigger === 'schedule' || launch.trigger === 'misfire';
}

/** All that the cursor has still to pass before the change, as one row. */
function skippedRange(cursorMs: number | null, change: JobChange, reason: Reason): TickRange[] {
  if (cursorMs === null || cursorMs >= change.inForceFromMs) return [];
  const ticks = ticksBefore(change.oldTicks, change.inForceFromMs);
  const untilMs = lastTickFrom(ticks, cursorMs, change.inForceFromMs - 1);
  return [makeTickRange('skipped', ticks, cursorMs, untilMs, reason)];
}

/** The ticks of a revision until it ends, that instant excluded. */
function ticksBefore(ticks: TickSource | null, endMs: number): TickSource {
  if (ticks === null) return noTicks;
  return {
    next: (afterMs) => {
      const tickMs = ticks.next(afterMs);
      return tickMs !== null && tickMs < endMs ? tickMs : null;
    },
    lastAtOrBefore: (atMs) => ticks.lastAtOrBefore(Math.min(atMs, endMs - 1)),
    count: (fromMs, untilMs) => ticks.count(fromMs, Math.min(untilMs, endMs - 1)),
  };
}
