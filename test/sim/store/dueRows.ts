import type { ClaimRequest } from '../../../src/domain/commit/batch.ts';
import type { Horizon } from '../../../src/domain/commit/nodeStore.ts';
import { ownsSlot, type Share } from '../../../src/domain/run/share.ts';
import {
  limitedAheadMs,
  type Takeable,
  withinLimits,
} from '../../../src/domain/targeting/takeable.ts';
import type { StoreSession } from './nodeCaches.ts';
import { countEach } from './stepCounts.ts';
import type { SlotRow } from './tables.ts';
import { heldRows, takeableRows } from './targetingRows.ts';
import type { Transaction } from './transaction.ts';

/** Takes those locks of groups of jobs that are free, and returns which. */
export type LockGroups = (groups: readonly string[]) => ReadonlySet<string>;

/** What a claim may take of the stripes that are held, as `readDue` reads it. */
export function dueRows(
  transaction: Transaction,
  { caches, nodeName, sessionId }: StoreSession,
  request: ClaimRequest,
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): SlotRow[] {
  const wanted = new Set(request.dueStripes.filter((stripe) => held.has(stripe)));
  if (wanted.size === 0 || request.slotsMax <= 0) return [];
  const nowMs = transaction.nowMs();
  const takeable = takeableRows(transaction, nowMs, sessionId, caches, transaction.counts);
  transaction.count('looksForDue');
  const isOurs = ({ nodeName: name, jobId }: SlotRow): boolean =>
    name === '' || takeable.isBeside || transaction.jobs.get(jobId)?.isEveryNode === true;
  const slots = only(
    countEach(transaction.idleUntil(readUntil(nowMs, request)), transaction.counts, 'scanned'),
    (slot) => wanted.has(slot.stripe) && isOurs(slot),
  );
  const due = findDue(slots, nowMs, { ...request, nodeName }, request.slotsMax, takeable);
  transaction.count('due', due.length);
  if (due.length >= request.slotsMax) transaction.count('isDueFull');
  if (takeable.limited.length === 0) return due;
  const locked = lockGroups(takeable.limited.map(({ group }) => group));
  return withinLimits(due, ({ targetId }) => targetId, takeable, heldRows(transaction), locked);
}

/**
 * The slots that a look within the horizon finds, the earliest first.
 * @param slots idle ones in the order in which they are due, up to the horizon
 */
export function findDue(
  slots: Iterable<SlotRow>,
  nowMs: number,
  horizon: {
    readonly nodeName: string;
    readonly share: Share;
    readonly aheadMs: number;
    readonly aheadAnywhereMs: number;
  },
  slotsMax: number,
  takeable: Takeable,
): SlotRow[] {
  const found: SlotRow[] = [];
  if (slotsMax <= 0) return found;
  for (const slot of slots) {
    if (slot.nextRunMs === null) continue;
    if (slot.nodeName !== '' && slot.nodeName !== horizon.nodeName) continue;
    const targets = slot.nodeName === '' ? takeable.anywhere : takeable.pinned;
    if (!targets.includes(slot.targetId)) continue;
    const isLimited = takeable.limited.some(({ targetIds }) => targetIds.includes(slot.targetId));
    if (isLimited && slot.nextRunMs > nowMs + limitedAheadMs) continue;
    const aheadMs = ownsSlot(horizon.share, slot)
      ? horizon.aheadMs
      : Math.min(horizon.aheadMs, horizon.aheadAnywhereMs);
    if (slot.nextRunMs <= nowMs + aheadMs && found.push(slot) === slotsMax) break;
  }
  return found;
}

/** How far the index of what is due is read: with no share of its own a node looks less far. */
export function readUntil(
  nowMs: number,
  { share, aheadMs, aheadAnywhereMs }: Pick<Horizon, 'share' | 'aheadMs' | 'aheadAnywhereMs'>,
): number {
  return nowMs + (share.from === share.until ? Math.min(aheadMs, aheadAnywhereMs) : aheadMs);
}

function* only<T>(all: Iterable<T>, test: (each: T) => boolean): Generator<T> {
  for (const each of all) if (test(each)) yield each;
}
