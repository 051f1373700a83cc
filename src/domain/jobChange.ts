import type { SlotState } from './arrows.ts';
import { decideClaim, type TickRange, type TickSource } from './claimDecision.ts';
import type { Trigger } from './run.ts';

/** What an operator does to a job; each closes one revision and opens the next. */
export type JobChangeKind = 'edit' | 'pause' | 'resume' | 'remove';

export interface JobChange {
  readonly kind: JobChangeKind;
  /** The instant at which the old revision ends and the new one begins: half open (P19). */
  readonly inForceFromMs: number;
  /** Null: the old revision names no ticks, since it was paused. */
  readonly oldTicks: TickSource | null;
  /** Null: the new revision names no ticks, since the job is paused or removed. */
  readonly newTicks: TickSource | null;
}

export interface ChangingSlot {
  readonly state: SlotState;
  readonly cursorMs: number | null;
  /** When the slot's last launch ended, or null. */
  readonly endedMs: number | null;
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
  const dealtWith = slots.map((slot) => {
    const { launch, cursorMs } = slot;
    const isOpen = slot.state === 'prepare' && launch !== null && isTick(launch);
    const nextMs = isOpen ? launch.scheduledForMs : cursorMs;
    const lastMs = oldTicks?.lastAtOrBefore(
      nextMs === null ? Number.POSITIVE_INFINITY : nextMs - 1,
    );
    return lastMs ?? Number.NEGATIVE_INFINITY;
  });
  return Math.max(nowMs, oldFromMs + 1, ...dealtWith.map((tickMs) => tickMs + 1));
}

/**
 * What a change of the job does to one slot, so that every tick of the old revision before the
 * change, and none after it, is accounted for (P14, P19). Under an edit the last tick that nobody
 * claimed is kept as the make-up, the earlier ones are `missed`; a pause and a removal keep
 * nothing. An executing slot keeps its launch, and ticks that fell while it executed are `skipped`.
 */
export function decideSlotChange(slot: ChangingSlot, change: JobChange): SlotChange {
  const cursorMs = change.newTicks?.next(change.inForceFromMs - 1) ?? null;
  if (slot.state === 'executing') {
    return { prepared: 'none', cursorMs, ranges: skippedRange(slot.cursorMs, change, stillGoing) };
  }
  const stopsAll = change.kind === 'pause' || change.kind === 'remove';
  return stopsAll ? stopSlot(slot, change) : carrySlot(slot, change, cursorMs);
}

/** Under a pause or a removal: one row for the launch, one for all the ticks after it. */
function stopSlot(slot: ChangingSlot, change: JobChange): SlotChange {
  const reason = change.kind === 'pause' ? 'the job was paused' : 'the job was removed';
  const ranges = skippedRange(slot.cursorMs, change, reason);
  if (slot.launch === null) return { prepared: 'none', cursorMs: null, ranges };
  const wasDue = !isTick(slot.launch) || slot.launch.scheduledForMs < change.inForceFromMs;
  return { prepared: wasDue ? 'skipped' : 'dropped', cursorMs: null, ranges };
}

/** Under an edit: a claim of all that is overdue, whose launch becomes the kept cursor. */
function carrySlot(slot: ChangingSlot, change: JobChange, newCursorMs: number | null): SlotChange {
  const { launch } = slot;
  const wasTick = launch !== null && isTick(launch);
  const nextMs = wasTick ? launch.scheduledForMs : slot.cursorMs;
  const isDropped = wasTick && nextMs !== null && nextMs >= change.inForceFromMs;
  const prepared = launch === null ? 'none' : isDropped ? 'dropped' : 'kept';
  if (nextMs === null || nextMs >= change.inForceFromMs) {
    return { prepared, cursorMs: newCursorMs, ranges: [] };
  }
  const decision = decideClaim(
    { cursorMs: nextMs, endedMs: slot.endedMs, pending: null },
    ticksBefore(change.oldTicks, change.inForceFromMs),
    change.inForceFromMs - 1,
  );
  const cursorMs = decision.launch?.scheduledForMs ?? newCursorMs;
  return { prepared, cursorMs, ranges: decision.ranges };
}

function isTick(launch: { trigger: Trigger }): boolean {
  return launch.trigger === 'schedule' || launch.trigger === 'misfire';
}

const stillGoing = 'the last run was still going';

/** All that the cursor has still to pass before the change, as one row. */
function skippedRange(cursorMs: number | null, change: JobChange, reason: string): TickRange[] {
  if (cursorMs === null || cursorMs >= change.inForceFromMs) return [];
  const ticks = ticksBefore(change.oldTicks, change.inForceFromMs);
  const untilMs = Math.max(cursorMs, ticks.lastAtOrBefore(change.inForceFromMs - 1) ?? cursorMs);
  // The cursor may stand on a kept tick of an older revision, which the schedule no longer names.
  const kept = ticks.lastAtOrBefore(cursorMs) === cursorMs ? 0 : 1;
  const count = ticks.count(cursorMs, untilMs) + kept;
  return [{ result: 'skipped', fromMs: cursorMs, untilMs, ticks: count, reason }];
}

/** The ticks of a revision until it ends, that instant excluded. */
function ticksBefore(ticks: TickSource | null, endMs: number): TickSource {
  if (ticks === null) return { next: () => null, lastAtOrBefore: () => null, count: () => 0 };
  return {
    next: (afterMs) => {
      const tickMs = ticks.next(afterMs);
      return tickMs !== null && tickMs < endMs ? tickMs : null;
    },
    lastAtOrBefore: (atMs) => ticks.lastAtOrBefore(Math.min(atMs, endMs - 1)),
    count: (fromMs, untilMs) => ticks.count(fromMs, Math.min(untilMs, endMs - 1)),
  };
}
