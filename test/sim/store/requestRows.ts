import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { makeIdle, putBackRow, recordUnfinishedRow, releaseRow } from './releaseRows.ts';
import { type PendingRow, revisionKey } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** A launch whose time is nearer than this is left alone: its start may be under way. */
const nearMs = 1_000;

/** Asks for one launch now, as `runJob` does it; resolves to whether the request is new. */
export function runJobRow(
  channel: MemoryChannel,
  jobId: number,
  requestId: string,
): Promise<Outcome<boolean>> {
  return memoryTransact<boolean>(channel, async () => {
    await takeLocks(channel, [stripeOfJob(jobId)]);
    return channel.step('runJob', (transaction) => {
      const job = transaction.jobs.get(jobId);
      if (job === undefined || job.isRemoved) return { refuse: 'job_missing' };
      if (isKnown(transaction, jobId, requestId)) return { commit: false };
      const atMs = transaction.nowMs();
      putPendingRows(transaction, { jobId, requestId, trigger: 'manual', atMs });
      wakeRows(transaction, jobId);
      stopReplaced(transaction, jobId);
      return { commit: true };
    });
  });
}

export type StopRowAnswer = 'withdrawn' | 'asked' | 'ended';

/** Stops one launch, as `stopRun` does it. */
export async function stopRunRow(
  channel: MemoryChannel,
  launchId: string,
): Promise<Outcome<StopRowAnswer>> {
  const { server } = channel.parts;
  return memoryTransact<StopRowAnswer>(channel, async () => {
    const seen = await channel.send('stopRun stripe', () => {
      const [slot] = server.tables.slotsByLaunch.rows(launchId);
      return slot;
    });
    if (seen === undefined) return { commit: 'ended' };
    await takeLocks(channel, [seen.stripe]);
    return channel.step('stopRun', (transaction) => {
      const slot = transaction.slotOfLaunch(launchId);
      if (slot === undefined) return { commit: 'ended' };
      if (slot.state === 'prepare') {
        const reason = 'stopped by an operator before it started';
        recordUnfinishedRow(transaction, slot, { result: 'stopped', isFinal: true, reason });
        releaseRow(transaction, slot, 'withdraw');
        return { commit: 'withdrawn' };
      }
      const stopRequestedMs = slot.stopRequestedMs ?? transaction.nowMs();
      transaction.putSlot({ ...slot, stopRequestedMs });
      return { commit: 'asked' };
    });
  });
}

/** Whether a request is pending, held by a slot, or history. */
export function isKnown(transaction: Transaction, jobId: number, requestId: string): boolean {
  const isIt = (row: { jobId: number; requestId: string | null }): boolean =>
    row.jobId === jobId && row.requestId === requestId;
  for (const row of transaction.pendingOfJob(jobId)) if (isIt(row)) return true;
  for (const row of transaction.slotsOfJob(jobId)) if (isIt(row)) return true;
  for (const row of transaction.runsOfJob(jobId)) if (isIt(row)) return true;
  return false;
}

/** For whom the cluster chooses, or every node of an every-node job, as `insertPending` does it. */
export function putPendingRows(
  transaction: Transaction,
  request: Pick<PendingRow, 'jobId' | 'requestId' | 'trigger'> & { readonly atMs: number },
): void {
  const { atMs: scheduledForMs, ...rest } = request;
  const isEveryNode = transaction.jobs.get(request.jobId)?.isEveryNode === true;
  const names = transaction
    .slotsOfJob(request.jobId)
    .filter(({ nodeName }) => nodeName === '' || isEveryNode)
    .map(({ nodeName }) => nodeName);
  const notBeforeMs = transaction.nowMs();
  for (const nodeName of new Set(names)) {
    const pendingId = transaction.nextId('pending');
    const row = { pendingId, ...rest, nodeName, scheduledForMs, attempt: 1, notBeforeMs };
    transaction.pending.put(pendingId, row);
  }
}

/** A launch by hand takes the place of what executes, as `stopReplaced` has it. */
function stopReplaced(transaction: Transaction, jobId: number): void {
  const job = transaction.jobs.get(jobId);
  const revision = transaction.revisions.get(revisionKey(jobId, job?.revision ?? 0));
  const overlap = revision?.definition.overlap;
  if (overlap !== 'replace' && overlap !== 'terminate') return;
  for (const slot of transaction.slotsOfJob(jobId)) {
    if (slot.state !== 'executing') continue;
    const stopRequestedMs = slot.stopRequestedMs ?? transaction.nowMs();
    transaction.putSlot({ ...slot, stopRequestedMs });
  }
}

/** Makes a job's slots look at its pending launches, as `wakeJob` does it. */
export function wakeRows(transaction: Transaction, jobId: number): void {
  for (const slot of transaction.slotsOfJob(jobId)) {
    const waits = (slot.nextRunMs ?? 0) > transaction.nowMs() + nearMs;
    if (slot.state === 'prepare' && waits) putBackRow(transaction, slot, 'withdraw');
    else if (slot.state === 'idle') makeIdle(transaction, slot, null);
  }
}
