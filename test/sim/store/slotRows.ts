import {
  done,
  early,
  type FinishRequest,
  type ReapRequest,
  type ResetRequest,
  refusedAs,
  type StartRequest,
  type Verdict,
} from '../../../src/domain/commit/batch.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { RunResult } from '../../../src/domain/run/run.ts';
import { failureOf } from '../../../src/store/slots/lastFailure.ts';
import { countEndedRow, endAttempt } from './attemptRows.ts';
import type { StoreSession } from './nodeCaches.ts';
import { makeIdle, putBackRow, recordUnfinishedRow, releaseRow, runOfSlot } from './releaseRows.ts';
import type { SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** prepare → executing, as `startSlots` does it. */
export function startRow(
  transaction: Transaction,
  sessionId: string,
  { slotId, launchId, isDelayed, startBeforeMs }: StartRequest,
): Verdict {
  const slot = transaction.slot(slotId);
  transaction.count('starts');
  if (slot?.launchId !== launchId) {
    transaction.count('startsRefused');
    return refusedAs('the launch was taken back');
  }
  if (slot.state === 'executing') return done;
  const nowMs = transaction.nowMs();
  if (slot.sessionId !== sessionId) return early;
  if (startBeforeMs !== undefined && nowMs > startBeforeMs) {
    const reason = reasons.tooLate;
    recordUnfinishedRow(transaction, slot, { result: 'missed', isFinal: true, reason });
    releaseRow(transaction, slot, 'withdraw');
    return refusedAs(reason);
  }
  const startAtMs = isDelayed === true ? slot.nextRunMs : slot.scheduledForMs;
  if (Math.max(startAtMs ?? Infinity, slot.scheduledForMs ?? Infinity) > nowMs) {
    transaction.count('startsRefused');
    return early;
  }
  transaction.putSlot({ ...slot, state: 'executing', startedMs: nowMs }, 'start');
  return done;
}

/** executing → idle with the run row, as `finishSlots` does it. */
export function finishRow(
  transaction: Transaction,
  { slotId, launchId, execution, endedMs: toldMs }: FinishRequest,
): Verdict {
  const slot = transaction.slot(slotId);
  transaction.count('finishes');
  if (slot?.launchId !== launchId || slot.state !== 'executing') {
    return refusedAs('the launch is not executing any more');
  }
  const neverLived = execution.result === 'spawn_failed';
  const result = execution.result === 'spawn_failed' ? 'failed' : execution.result;
  transaction.count('finished');
  noteFailure(transaction, slot.jobId, result);
  const isFinal = endAttempt(transaction, slot, result);
  const nowMs = transaction.nowMs();
  const endedMs = Math.min(nowMs, Math.max(slot.startedMs ?? nowMs, toldMs ?? nowMs));
  transaction.insertRun({
    ...runOfSlot(slot),
    isFinal,
    result,
    exitCode: neverLived ? null : execution.exitCode,
    reason: execution.reason,
    endedMs,
  });
  const times = { endedMs, lastStartedMs: slot.startedMs };
  makeIdle(transaction, slot, 'finish', times);
  if (isFinal) countEndedRow(transaction, slot, result);
  return done;
}

/** How its last run ended is kept in the job's row, and written when that changes. */
function noteFailure(transaction: Transaction, jobId: number, result: RunResult): void {
  const job = transaction.jobs.get(jobId);
  const lastFailure = failureOf(result);
  if (job === undefined || (job.lastFailure ?? '') === lastFailure) return;
  transaction.count('failures');
  transaction.jobs.put(jobId, { ...job, lastFailure });
}

/** prepare or executing → idle for launches that nobody carries on, as `resetSlots` does it. */
export function resetRow(
  transaction: Transaction,
  { sessionId, mutation }: StoreSession,
  request: ResetRequest,
): Verdict {
  const slot = transaction.slot(request.slotId);
  transaction.count('resets');
  if (slot !== undefined && slot.state !== 'idle') transaction.count('found');
  const isSame = slot?.launchId === request.launchId || mutation === 'reset without launch id';
  const may = slot !== undefined && isSame && mayReset(transaction, slot, request);
  if (!may || !ownsFor(slot, request, sessionId)) {
    return refusedAs('the slot does not hold the launch any more');
  }
  const job = transaction.jobs.get(slot.jobId);
  const isKept = slot.state === 'prepare' || slot.revision === job?.revision;
  if (slot.state === 'executing') {
    recordUnfinishedRow(transaction, slot, {
      result: 'not_started',
      isFinal: !isKept,
      reason: reasons.notStarted,
    });
  }
  if (isKept) putBackRow(transaction, slot, 'reset');
  else releaseRow(transaction, slot, 'reset');
  return done;
}

/** Frees what an ended session held on the stripes held, as `reapSlots` does it. */
export function reapRows(
  transaction: Transaction,
  request: ReapRequest,
  held: ReadonlySet<number>,
): Verdict {
  const stripes = request.stripes.filter((stripe) => held.has(stripe));
  transaction.count('reaps');
  const session = transaction.session(request.sessionId);
  if (session === undefined || session.isLive) return refusedAs('the session is live');
  const livedUntilMs = Math.min(transaction.nowMs(), session.renewedMs + session.ttlMs);
  const owned = transaction
    .slotsOfSession(request.sessionId)
    .filter(({ stripe }) => stripes.includes(stripe));
  transaction.count('reapedStripes', stripes.length);
  transaction.count('reaped', owned.length);
  const executing = owned.filter(({ state }) => state === 'executing');
  const ended = executing.map((slot) => {
    const isFinal = endAttempt(transaction, slot, 'lost');
    const reason = reasons.lost(session.endedWhy);
    recordUnfinishedRow(transaction, slot, { result: 'lost', isFinal, reason });
    releaseRow(transaction, slot, 'reap', livedUntilMs);
    return { slot, isFinal };
  });
  for (const slot of owned) if (slot.state === 'prepare') putBackRow(transaction, slot, 'reap');
  // Last, since a job that pauses itself changes its other slots, too.
  for (const { slot, isFinal } of ended) if (isFinal) countEndedRow(transaction, slot, 'lost');
  return { verdict: 'reaped', stripes, slots: owned.length };
}

function ownsFor(slot: SlotRow, { why }: ResetRequest, sessionId: string): boolean {
  return why === 'overdue' || slot.sessionId === sessionId;
}

function mayReset(transaction: Transaction, slot: SlotRow, { why }: ResetRequest): boolean {
  if (why === 'own') return slot.state !== 'idle';
  if (why === 'draining') return slot.state === 'prepare';
  return slot.state === 'prepare' && isOverdue(slot, transaction.nowMs());
}

/** Prepared, and ought to have started ten seconds ago. */
export function isOverdue(slot: SlotRow, nowMs: number): boolean {
  return slot.nextRunMs !== null && slot.nextRunMs < nowMs - 10_000;
}
