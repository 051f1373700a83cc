/**
 * The earliest of what the slots of a job have next. A tick of a node that is away waits for it
 * alone, while the others run theirs: it is the next of a job that has no other.
 * @param nextOfSlot what a slot has next, or null
 */
export function nextOfSlots(nextOfSlot: string): string {
  return `COALESCE(MIN(IF(${isThere}, ${nextOfSlot}, NULL)), MIN(${nextOfSlot}))`;
}

/** Of a slot: it is no node's own, or its node lives. */
export const isThere = `(slot.node_name = '' OR EXISTS (SELECT 1 FROM session
          WHERE session.node_name = slot.node_name AND session.state = 'live'))`;
