import {
  type ChangingSlot,
  decideSlotChange,
  endsAll,
  firstOfNew,
  type JobChange,
  nextOfOld,
  type SlotChange,
} from './jobChange.ts';
import { freeSince } from './slotsPast.ts';

export interface SlotOfJob extends ChangingSlot {
  readonly nodeName: string;
}

interface ChangeOfSlots extends JobChange {
  readonly nowMs: number;
}

/**
 * What a change of the job does to each of its slots, in their order. Slots side by side share
 * their cursor, so that the ticks that it passes are accounted for once, with the first of them.
 */
export function decideSlotChanges(
  slots: readonly SlotOfJob[],
  change: ChangeOfSlots,
): SlotChange[] {
  const groups = new Map<string, SlotOfJob[]>();
  for (const slot of slots) {
    const group = groups.get(slot.nodeName);
    if (group === undefined) groups.set(slot.nodeName, [slot]);
    else group.push(slot);
  }
  const decided = new Map<SlotOfJob, SlotChange>();
  for (const group of groups.values()) {
    const changes =
      group.length > 1
        ? decideSideBySide(group, change)
        : group.map((slot) => decideBeside(slot, change));
    for (const [index, slot] of group.entries()) decided.set(slot, changes[index] as SlotChange);
  }
  return slots.map((slot) => decided.get(slot) as SlotChange);
}

function decideSideBySide(slots: readonly SlotOfJob[], change: ChangeOfSlots): SlotChange[] {
  const free = slots.filter(({ state }) => state === 'idle');
  const { cursorMs, ranges, queued } = decideBeside(
    {
      // A tick was overlapped only while all of them were busy.
      state: free.length === 0 ? 'executing' : 'idle',
      cursorMs: slots[0]?.cursorMs ?? null,
      endedMs: freeSince(free),
      isParallel: true,
      launch: null,
    },
    change,
  );
  return slots.map((slot, index): SlotChange => {
    const { prepared } = decideSlotChange({ ...slot, cursorMs: null, isParallel: true }, change);
    return index === 0
      ? { prepared, cursorMs, ranges, queued }
      : { prepared, cursorMs, ranges: [], queued: [] };
  });
}

/**
 * The slots of another node may have had ticks claimed and dealt with ahead, and the change is in
 * force only after them. Those ticks are still to come for this slot: they run at their time.
 */
function decideBeside(slot: ChangingSlot, change: ChangeOfSlots): SlotChange {
  const ahead = ticksAhead(slot, change);
  if (ahead.length === 0) return decideSlotChange(slot, change);
  const { nowMs } = change;
  const due = decideSlotChange(slot, { ...change, inForceFromMs: nowMs + 1 });
  const madeUp = due.cursorMs !== null && due.cursorMs <= nowMs ? [due.cursorMs] : [];
  return { ...due, cursorMs: firstOfNew(change), queued: [...madeUp, ...due.queued, ...ahead] };
}

/** Ticks of the old revision after now. */
function ticksAhead(slot: ChangingSlot, change: ChangeOfSlots): number[] {
  const { inForceFromMs, kind, nowMs, oldTicks, policies } = change;
  const firstMs = nextOfOld(slot);
  if (firstMs === null || endsAll(kind) || policies?.observed === true) return [];
  const ahead: number[] = [];
  const next = (afterMs: number): number => oldTicks?.next(afterMs) ?? inForceFromMs;
  for (let tickMs = next(Math.max(firstMs - 1, nowMs)); tickMs < inForceFromMs; ) {
    ahead.push(tickMs);
    tickMs = next(tickMs);
  }
  return ahead;
}
