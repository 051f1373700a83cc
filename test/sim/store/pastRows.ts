import { busyTimes, type SlotsPast } from '../../../src/domain/policies/slotsPast.ts';
import type { PendingRow, RevisionRow, SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** What a slot and its siblings have behind them, as `readPasts` reads it. */
export function readPast(
  transaction: Transaction,
  slot: SlotRow,
  { definition }: RevisionRow,
): SlotsPast<PendingRow> {
  const { misfire, overlap, parallel = 1 } = definition;
  const { cursorMs, endedMs, lastStartedMs = null } = slot;
  const isPassed = cursorMs !== null && endedMs !== null && endedMs >= cursorMs;
  const isRead = isPassed || slot.nextRunMs !== cursorMs || misfire === 'all' || parallel > 1;
  const rows = pendingOf(transaction, slot);
  if (isRead) transaction.count('pendingPlaces');
  if (isRead) transaction.count('pending', Math.min(rows.length, parallel));
  const isQueue = overlap === 'queue' || overlap === 'queue-all';
  const beside = parallel > 1 ? transaction.slotsOfJob(slot.jobId) : [];
  const siblings = beside.filter((each) => isSibling(each, slot));
  const times = siblings.map(({ lastStartedMs: lastMs = null, ...each }) => {
    return { ...each, lastStartedMs: lastMs, isIdle: each.state === 'idle' };
  });
  return {
    cursorMs,
    ...(parallel > 1 ? busyTimes(times) : { startedMs: lastStartedMs, endedMs }),
    pending: isRead ? rows.slice(0, parallel) : [],
    waiting: isQueue ? countQueued(rows) : 0,
    isParallel: parallel > 1,
  };
}

/** How many ticks wait their turn among the pending launches of a slot. */
export function countWaiting(transaction: Transaction, slot: SlotRow): number {
  return countQueued(pendingOf(transaction, slot));
}

/** Of the same job and node name, the slot itself included. */
export function isSibling(one: SlotRow, other: SlotRow): boolean {
  return one.jobId === other.jobId && one.nodeName === other.nodeName;
}

/** A tick that waits its turn becomes a pending launch. */
export function queueTicks(
  transaction: Transaction,
  { jobId, nodeName }: SlotRow,
  ticks: readonly number[],
): void {
  for (const tickMs of ticks) {
    const pendingId = transaction.nextId('pending');
    const times = { scheduledForMs: tickMs, notBeforeMs: tickMs };
    const row = {
      pendingId,
      jobId,
      nodeName,
      trigger: 'queue',
      attempt: 1,
      requestId: '',
    } as const;
    transaction.pending.put(pendingId, { ...row, ...times });
  }
}

/** The pending launches of a slot, the earliest first. */
function pendingOf(transaction: Transaction, slot: SlotRow): PendingRow[] {
  return transaction
    .pendingOfJob(slot.jobId)
    .filter(({ nodeName }) => nodeName === slot.nodeName)
    .sort((one, other) => one.notBeforeMs - other.notBeforeMs || one.pendingId - other.pendingId);
}

function countQueued(rows: readonly PendingRow[]): number {
  return rows.filter(({ trigger }) => trigger === 'queue').length;
}
