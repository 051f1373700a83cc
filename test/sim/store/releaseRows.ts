import type { Arrow } from '../../../src/domain/run/arrows.ts';
import type { RunResult } from '../../../src/domain/run/run.ts';
import type { SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** Makes a slot idle, due again at the earlier of its cursor and its earliest pending launch. */
export function makeIdle(
  transaction: Transaction,
  slot: SlotRow,
  arrow: Arrow['name'] | null,
  changes: Partial<Pick<SlotRow, 'cursorMs' | 'endedMs' | 'lastStartedMs'>> = {},
): void {
  const changed = { ...slot, ...changes };
  const pendingMs = earliestPending(transaction, slot);
  const dueMs = Math.min(changed.cursorMs ?? Infinity, pendingMs);
  const nextRunMs = dueMs === Infinity ? null : dueMs;
  transaction.putSlot({ ...changed, ...holdingNothing, state: 'idle', nextRunMs }, arrow);
}

/** The columns of a slot that nobody holds. */
export const holdingNothing = {
  revision: null,
  trigger: null,
  requestId: null,
  attempt: null,
  scheduledForMs: null,
  launchId: null,
  sessionId: null,
  startedMs: null,
  stopRequestedMs: null,
} as const;

/** The tick becomes the cursor again, a pending launch becomes a pending row again. */
export function putBackRow(transaction: Transaction, slot: SlotRow, arrow: Arrow['name']): void {
  const { trigger, scheduledForMs } = slot;
  if (trigger === null || scheduledForMs === null) throw new Error('putBackRow of an idle slot');
  transaction.count('putBack');
  const isTick = trigger === 'schedule' || trigger === 'misfire';
  const isParallel = transaction
    .slotsOfJob(slot.jobId)
    .some(({ nodeName, slotNo }) => nodeName === slot.nodeName && slotNo !== slot.slotNo);
  if (isTick && !isParallel) {
    makeIdle(transaction, slot, arrow, { cursorMs: scheduledForMs });
    return;
  }
  const pending = {
    jobId: slot.jobId,
    nodeName: slot.nodeName,
    trigger: isTick ? ('queue' as const) : trigger,
    scheduledForMs,
    attempt: slot.attempt ?? 1,
    requestId: slot.requestId ?? '',
    notBeforeMs:
      trigger === 'manual' || trigger === 'queue' || trigger === 'backfill'
        ? scheduledForMs
        : (slot.nextRunMs ?? scheduledForMs),
  };
  if (!isPendingAlready(transaction, pending)) {
    const pendingId = transaction.nextId('pending');
    transaction.pending.put(pendingId, { pendingId, ...pending });
  }
  makeIdle(transaction, slot, arrow);
}

/** What was executing ended at the given instant, now by default. */
export function releaseRow(
  transaction: Transaction,
  slot: SlotRow,
  arrow: Arrow['name'],
  endedMs: number = transaction.nowMs(),
): void {
  transaction.count('released');
  const isOver = slot.state === 'executing';
  const times = isOver ? { endedMs, lastStartedMs: slot.startedMs } : {};
  makeIdle(transaction, slot, arrow, times);
}

/** The run row of a launch that ends without a finish, copied from its slot. */
export function recordUnfinishedRow(
  transaction: Transaction,
  slot: SlotRow,
  ending: { result: RunResult; isFinal: boolean; reason: string },
): void {
  transaction.count('unfinished');
  transaction.insertRun({ ...runOfSlot(slot), ...ending, exitCode: null });
}

/** The fields of a run row that its slot has. */
export function runOfSlot(slot: SlotRow) {
  const { revision, trigger, attempt, scheduledForMs } = slot;
  if (revision === null || trigger === null || attempt === null || scheduledForMs === null) {
    throw new Error('a run row of an idle slot');
  }
  return {
    jobId: slot.jobId,
    revision,
    nodeName: slot.nodeName,
    slotNo: slot.slotNo,
    launchId: slot.launchId,
    sessionId: slot.sessionId,
    trigger,
    requestId: slot.requestId,
    attempt,
    scheduledForMs,
    scheduledUntilMs: null,
    ticks: 1,
    startedMs: slot.startedMs,
  };
}

function earliestPending(transaction: Transaction, slot: SlotRow): number {
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const { nodeName, notBeforeMs } of transaction.pendingOfJob(slot.jobId)) {
    if (nodeName !== slot.nodeName) continue;
    earliestMs = Math.min(earliestMs, notBeforeMs);
  }
  return earliestMs;
}

/** The unique key of the table. */
function isPendingAlready(
  transaction: Transaction,
  wanted: {
    jobId: number;
    nodeName: string;
    trigger: string;
    scheduledForMs: number;
    attempt: number;
    requestId: string;
  },
): boolean {
  for (const row of transaction.pendingOfJob(wanted.jobId)) {
    const isSame =
      row.nodeName === wanted.nodeName &&
      row.trigger === wanted.trigger &&
      row.scheduledForMs === wanted.scheduledForMs &&
      row.attempt === wanted.attempt &&
      row.requestId === wanted.requestId;
    if (isSame) return true;
  }
  return false;
}
