import {
  type ChangingSlot,
  decideSlotChange,
  type JobChange,
  type SlotChange,
} from './jobChange.ts';
import { freeSince } from './slotsPast.ts';

export interface SlotOfJob extends ChangingSlot {
  readonly nodeName: string;
}

/**
 * What a change of the job does to each of its slots, in their order. Slots side by side share
 * their cursor, so that the ticks that it passes are accounted for once, with the first of them.
 */
export function decideSlotChanges(slots: readonly SlotOfJob[], change: JobChange): SlotChange[] {
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
        : group.map((slot) => decideSlotChange(slot, change));
    for (const [index, slot] of group.entries()) decided.set(slot, changes[index] as SlotChange);
  }
  return slots.map((slot) => decided.get(slot) as SlotChange);
}

function decideSideBySide(slots: readonly SlotOfJob[], change: JobChange): SlotChange[] {
  const free = slots.filter(({ state }) => state === 'idle');
  const { cursorMs, ranges, queued } = decideSlotChange(
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
