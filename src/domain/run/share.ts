import { stripeCount } from './stripes.ts';

/**
 * The stripes, each of 64 grains, are a line on which every slot has its place. A share is what a
 * session looks ahead on: the places from `from` up to, and without, `until`. It takes in some
 * stripes as a whole and a part of up to two more. Locks are of stripes, whoever shares them.
 */
export interface Share {
  readonly from: number;
  readonly until: number;
}

const grainsOfStripe = 64;
export const grainCount = stripeCount * grainsOfStripe;

export const wholeLine: Share = { from: 0, until: grainCount };
export const noShare: Share = { from: 0, until: 0 };

/**
 * Where a slot is on the line, by its stored stripe and its id; the stores' SQL says the same
 * (`placeOfSlot`). Ids of one stripe are mostly 64 apart, or some times 64, and are to be spread
 * evenly, few of them too: multiples of the golden ratio fall between those before. 40503 is its
 * fraction in parts of 65,536, so that the pattern begins anew after 4 million ids. Measured with
 * 1,000 jobs of 1 to 128 slots on 100 nodes: the busiest has up to 1.9 times the mean, 1.1 times
 * with one slot; multiples of 39 modulo 64 come to 3 times it with 64 slots each.
 */
export function placeOfSlot({ slotId, stripe }: { slotId: number; stripe: number }): number {
  const grain = Math.floor((Math.floor(slotId / stripeCount) * 40_503) / 1_024) % grainsOfStripe;
  return stripe * grainsOfStripe + grain;
}

export function ownsSlot(share: Share, slot: { slotId: number; stripe: number }): boolean {
  const place = placeOfSlot(slot);
  return place >= share.from && place < share.until;
}

/**
 * The share of a session: the line is cut into as many equal pieces as sessions live, one grain
 * more or less, dealt by rank in the sorted list. All of it when it is not in the list yet.
 * Disagreement between nodes costs a lock wait, never a promise: about who is live, and about the
 * rule, too. Versions up to 0.6 deal whole stripes (`stripe % live === rank`); beside them a slot
 * has two owners or none, and one without is claimed by anybody shortly before its tick.
 */
export function shareOfSession(sessionId: string, liveSessionIds: readonly string[]): Share {
  const sorted = [...liveSessionIds].sort();
  const rank = sorted.indexOf(sessionId);
  if (rank === -1) return wholeLine;
  const cut = (pieces: number): number => Math.floor((grainCount * pieces) / sorted.length);
  return { from: cut(rank), until: cut(rank + 1) };
}

/** The stripes that a share has slots of, whole or in part. */
export function stripesOfShare({ from, until }: Share): number[] {
  if (until <= from) return [];
  const first = Math.floor(from / grainsOfStripe);
  const last = Math.floor((until - 1) / grainsOfStripe);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Up to so many are read one by one; of a share with more, what is due on all is read at once. */
const stripesApartMax = 4;

/**
 * The stripes of a share that a look reads each by itself, to pass over nothing that is due on
 * others: of many nodes each has a stripe or two. Null with more of them.
 */
export function stripesApart(share: Share): readonly number[] | null {
  const stripes = stripesOfShare(share);
  return stripes.length <= stripesApartMax ? stripes : null;
}
