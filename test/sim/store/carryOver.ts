import type { JobChangeKind, SlotChange } from '../../../src/domain/policies/jobChange.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { insertRanges } from './claimRows.ts';
import { queueTicks } from './pastRows.ts';
import { makeIdle, putBackRow, recordUnfinishedRow, releaseRow } from './releaseRows.ts';
import type { JobRow, SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

const stopReasons = { pause: reasons.paused, remove: reasons.removed } as const;

/**
 * Carries a job's slots and pending launches over to its new revision, as `changeSlots` does it.
 */
export function carryOver(
  transaction: Transaction,
  kind: JobChangeKind,
  job: JobRow,
  decided: readonly { readonly slot: SlotRow; readonly change: SlotChange }[],
): void {
  for (const { slot, change } of decided) {
    insertRanges(transaction, slot, job.revision, change.ranges);
    if (change.prepared === 'kept') putBackRow(transaction, slot, 'withdraw');
    if (change.prepared === 'skipped' && (kind === 'pause' || kind === 'remove')) {
      const reason = stopReasons[kind];
      recordUnfinishedRow(transaction, slot, { result: 'skipped', isFinal: true, reason });
    }
    if (change.prepared === 'skipped' || change.prepared === 'dropped') {
      releaseRow(transaction, slot, 'withdraw');
    }
  }
  if (kind === 'pause' || kind === 'remove') dropPending(transaction, job, stopReasons[kind]);
  for (const { slot, change } of decided) queueTicks(transaction, slot, change.queued);
  for (const { slot, change } of decided) {
    const now = transaction.slot(slot.slotId);
    if (now === undefined) throw new Error('carryOver: a row changed under its lock');
    const { cursorMs } = change;
    if (now.state === 'executing') transaction.putSlot({ ...now, cursorMs });
    else makeIdle(transaction, now, null, { cursorMs });
    if (kind === 'remove' && now.state !== 'executing') transaction.removeSlot(slot.slotId);
  }
}

/** Writes off the requested launches of a job, or of one node name of it. */
export function dropPending(
  transaction: Transaction,
  job: JobRow,
  reason: string,
  only: string | null = null,
): void {
  const dropped = transaction
    .pendingOfJob(job.jobId)
    .filter(({ nodeName }) => only === null || nodeName === only);
  for (const { pendingId, nodeName, trigger, requestId, attempt, scheduledForMs } of dropped) {
    transaction.insertRun({
      jobId: job.jobId,
      revision: job.revision,
      nodeName,
      slotNo: 0,
      launchId: null,
      sessionId: null,
      trigger,
      requestId: requestId || null,
      attempt,
      isFinal: true,
      scheduledForMs,
      scheduledUntilMs: null,
      ticks: 1,
      startedMs: null,
      result: 'skipped',
      exitCode: null,
      reason,
    });
    transaction.pending.remove(pendingId);
  }
}
