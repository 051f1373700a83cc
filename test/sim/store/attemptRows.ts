import { nextAttempt } from '../../../src/domain/policies/nextAttempt.ts';
import { countRun, isCounted, whyPaused } from '../../../src/domain/policies/runLimit.ts';
import type { RunResult } from '../../../src/domain/run/run.ts';
import { pauseJobInPlace } from './jobRows.ts';
import { revisionKey, type SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** Without a draw: the simulation's runs come out the same every time. */
const noJitter = 0;

/**
 * Asks for the next attempt of a launch that ended so, as `decideAttempts` and `requestAttempts` do
 * it; resolves to whether it was the last.
 */
export function endAttempt(transaction: Transaction, slot: SlotRow, result: RunResult): boolean {
  const job = transaction.jobs.get(slot.jobId);
  const revision = transaction.revisions.get(revisionKey(slot.jobId, job?.revision ?? 0));
  if (job === undefined || revision === undefined || job.isPaused || job.isRemoved) return true;
  const { attempt, scheduledForMs, jobId, nodeName, requestId } = slot;
  if (attempt === null || scheduledForMs === null) throw new Error('an attempt of an idle slot');
  const next = nextAttempt(revision.definition, result, attempt, noJitter);
  if (next === null) return true;
  const pendingId = transaction.nextId('pending');
  transaction.pending.put(pendingId, {
    pendingId,
    jobId,
    nodeName,
    trigger: 'retry',
    scheduledForMs,
    attempt: next.attempt,
    requestId: requestId ?? '',
    notBeforeMs: transaction.nowMs() + next.delayMs,
  });
  return false;
}

/** Counts a launch that was the last of its tick, and pauses its job, as `countEnded` does it. */
export function countEndedRow(transaction: Transaction, slot: SlotRow, result: RunResult): void {
  const job = transaction.jobs.get(slot.jobId);
  const revision = transaction.revisions.get(revisionKey(slot.jobId, job?.revision ?? 0));
  if (job === undefined || revision === undefined || job.isPaused || job.isRemoved) return;
  const { trigger, requestId } = slot;
  const isBeside = slot.nodeName !== '' && !job.isEveryNode;
  if (trigger === null || isBeside || !isCounted(revision.definition)) return;
  const { ticksRun = 0, failuresInRow = 0 } = job;
  const counts = countRun({ ticksRun, failuresInRow }, { trigger, requestId, result });
  transaction.jobs.put(job.jobId, { ...job, ...counts });
  const reason = whyPaused(revision.definition, counts);
  if (reason !== null) pauseJobInPlace(transaction, job.jobId, reason);
}
