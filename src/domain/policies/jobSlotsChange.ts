import {
  type ChangingSlot,
  decideSlotChange,
  type JobChange,
  type SlotChange,
} from './jobChange.ts';

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
    const group = groups.get(slot.nodeName) ?? [];
    group.push(slot);
    groups.set(slot.nodeName, group);
  }
  const decided = new Map<SlotOfJob, SlotChange>();
  for (const group of groups.values()) {
    const changes = group.length === 1 ? group.map(decideOne) : decideSideBySide(group, change);
    for (const [index, slot] of group.entries()) decided.set(slot, changes[index] as SlotChange);
  }
  return slots.map((slot) => decided.get(slot) as SlotChange);

  function decideOne(slot: SlotOfJob): SlotChange {
    return decideSlotChange(slot, change);
  }
}

function decideSideBySide(slots: readonly SlotOfJob[], change: JobChange): SlotChange[] {
  const free = slots.filter(({ state }) => state === 'idle');
  const ends = free.map(({ endedMs }) => endedMs ?? Number.NEGATIVE_INFINITY);
  const freeSinceMs = Math.min(...ends);
  const shared = decideSlotChange(
    {
      // A tick was overlapped only while all of them were busy.
      state: free.length === 0 ? 'executing' : 'idle',
      cursorMs: slots[0]?.cursorMs ?? null,
      endedMs: Number.isFinite(freeSinceMs) ? freeSinceMs : null,
      isParallel: true,
      launch: null,
    },
    change,
  );
  return slots.map((slot, index): SlotChange => {
    const { prepared } = decideSlotChange({ ...slot, cursorMs: null, isParallel: true }, change);
    const { cursorMs, ranges, queued } = shared;
    return index === 0
      ? { prepared, cursorMs, ranges, queued }
      : { prepared, cursorMs, ranges: [], queued: [] };
  });
}
