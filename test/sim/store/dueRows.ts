import type { ClaimRequest } from '../../../src/domain/commit/batch.ts';
import type { Horizon } from '../../../src/domain/commit/nodeStore.ts';
import { ownsSlot, stripesApart } from '../../../src/domain/run/share.ts';
import {
  limitedAheadMs,
  type Takeable,
  withinLimits,
} from '../../../src/domain/targeting/takeable.ts';
import { earliestOf } from '../../../src/store/targeting/dueParts.ts';
import type { StoreSession } from './nodeCaches.ts';
import { countEach, type StepCounts } from './stepCounts.ts';
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
  const wantedOf = (slots: Iterable<SlotRow>) =>
    only(slots, (slot) => wanted.has(slot.stripe) && isOurs(slot));
  const idle: IdleSlots = {
    until: (untilMs) => transaction.idleUntil(untilMs),
    ofStripe: (stripe, untilMs) => transaction.idleOfStripeUntil(stripe, untilMs),
  };
  const look = { ...request, nodeName };
  const due = findDue(idle, nowMs, look, takeable, transaction.counts, wantedOf);
  if (takeable.limited.length === 0) return due;
  const locked = lockGroups(takeable.limited.map(({ group }) => group));
  return withinLimits(due, ({ targetId }) => targetId, takeable, heldRows(transaction), locked);
}

/** Slots that stand idle, in the order in which they are due, up to an instant. */
export interface IdleSlots {
  until(untilMs: number): Iterable<SlotRow>;
  ofStripe(stripe: number, untilMs: number): Iterable<SlotRow>;
}

/** As far as a look goes, and whose it is. */
interface Look extends Pick<Horizon, 'nodeName' | 'share' | 'aheadMs' | 'aheadAnywhereMs'> {
  readonly slotsMax: number;
}

/** The slots that a look finds, the earliest first; it reads them in parts, as `dueParts` does. */
export function findDue(
  idle: IdleSlots,
  nowMs: number,
  look: Look,
  takeable: Takeable,
  counts: StepCounts,
  wantedOf = (slots: Iterable<SlotRow>) => slots,
): SlotRow[] {
  const { share, slotsMax } = look;
  const stripes = stripesApart(share);
  const untilMs = nowMs + look.aheadMs;
  const anywhereUntilMs = nowMs + Math.min(look.aheadMs, look.aheadAnywhereMs);
  const isOwn = (slot: SlotRow): boolean => ownsSlot(share, slot);
  const isNear = ({ nextRunMs }: SlotRow): boolean => (nextRunMs ?? Infinity) <= anywhereUntilMs;
  const parts =
    stripes === null
      ? [{ slots: idle.until(untilMs), isIn: (slot: SlotRow) => isOwn(slot) || isNear(slot) }]
      : [
          ...stripes.map((stripe) => ({ slots: idle.ofStripe(stripe, untilMs), isIn: isOwn })),
          { slots: idle.until(anywhereUntilMs), isIn: (slot: SlotRow) => !isOwn(slot) },
        ];
  counts.add('parts', parts.length);
  const found = parts.flatMap(({ slots, isIn }) => {
    const wanted = wantedOf(countEach(slots, counts, 'scanned'));
    return firstOf(
      wanted,
      slotsMax,
      (slot) => isIn(slot) && isTakeable(slot, nowMs, look, takeable),
    );
  });
  const due = earliestOf(found, slotsMax);
  counts.add('due', due.length);
  if (due.length >= slotsMax) counts.add('isDueFull');
  return due;
}

function isTakeable(
  { nextRunMs, nodeName, targetId }: SlotRow,
  nowMs: number,
  look: Look,
  takeable: Takeable,
): boolean {
  if (nodeName !== '' && nodeName !== look.nodeName) return false;
  const targets = nodeName === '' ? takeable.anywhere : takeable.pinned;
  if (!targets.includes(targetId)) return false;
  const isLimited = takeable.limited.some(({ targetIds }) => targetIds.includes(targetId));
  return !isLimited || (nextRunMs ?? 0) <= nowMs + limitedAheadMs;
}

function firstOf<T>(all: Iterable<T>, most: number, test: (each: T) => boolean): T[] {
  const found: T[] = [];
  if (most <= 0) return found;
  for (const each of all) if (test(each) && found.push(each) === most) break;
  return found;
}

function* only<T>(all: Iterable<T>, test: (each: T) => boolean): Generator<T> {
  for (const each of all) if (test(each)) yield each;
}
