/** Where a row of `slot` is on the line that is dealt over nodes: `placeOfSlot` of `share.ts`. */
export const placeOfSlot = '(slot.stripe * 64 + slot.slot_id DIV 64 * 40503 DIV 1024 % 64)';
