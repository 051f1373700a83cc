import type { Outcome } from '../../../src/domain/outcome.ts';
import { reasons } from '../../../src/domain/policies/reasons.ts';
import { stripeOfJob } from '../../../src/domain/stripes.ts';
import { accountUntil } from '../../../src/domain/targeting/accountUntil.ts';
import type { NodeFacts } from '../../../src/domain/targeting/nodeFacts.ts';
import { hasPlace } from '../../../src/domain/targeting/takeable.ts';
import type { TickSource } from '../../../src/domain/tickSource.ts';
import { dropPending } from './carryOver.ts';
import { insertRanges, ticksOf } from './claimRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeFreeLocks, takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { holdingNothing } from './releaseRows.ts';
import { type JobRow, type RevisionRow, revisionKey, type SlotRow } from './tables.ts';
import { bumpVersion, ensureTargetRow, liveRows, targetingRows } from './targetingRows.ts';
import type { Transaction } from './transaction.ts';

/** Writes where a job may run, as `placeJob` does it. */
export function placeRows(transaction: Transaction, revision: RevisionRow): void {
  const { jobId, definition, inForceFromMs } = revision;
  const job = transaction.jobs.get(jobId);
  if (job === undefined) throw new Error('placeRows: there is no such job');
  const targetId = ensureTargetRow(transaction, definition);
  const isEveryNode = definition.kind === 'every-node';
  const placed = { ...job, isEveryNode, targetId };
  transaction.jobs.put(jobId, placed);
  for (const slot of slotsOf(transaction, jobId)) {
    if (slot.targetId !== targetId) transaction.putSlot({ ...slot, targetId });
  }
  const slots = slotsOf(transaction, jobId);
  const named = slots.filter(({ nodeName }) => nodeName !== '');
  if (!isEveryNode && named.length === 0) return;

  const wanted = isEveryNode ? eligibleNames(transaction, targetId, named) : new Set(['']);
  const reason = isEveryNode && named.length > 0 ? reasons.nodeNotMeant : reasons.kindChanged;
  for (const slot of slots) {
    if (slot.state !== 'idle' || wanted.has(slot.nodeName)) continue;
    removeRow(transaction, slot, inForceFromMs - 1, reason);
  }
  for (const nodeName of wanted) createRow(transaction, placed, nodeName, inForceFromMs);
  if (isEveryNode) bumpVersion(transaction);
}

/** Makes and takes away the own slots of every-node jobs, as `ensureNodeSlots` does it. */
export async function ensureNodeSlotRows(
  channel: MemoryChannel,
  sessionId: string,
): Promise<boolean> {
  const { server } = channel.parts;
  const jobIds = await channel.ask('ensureNodeSlots look', (session) => {
    const work = findWork(server.begin(session), sessionId);
    server.rollBack(session);
    const isWaiting = work.obsolete.some(({ state }) => state !== 'idle');
    const idle = work.obsolete.filter(({ state }) => state === 'idle');
    const ids = new Set([...work.missing, ...idle].map(({ jobId }) => jobId));
    return ids.size === 0 && isWaiting ? null : [...ids];
  });
  if (jobIds === null || jobIds.length === 0) return jobIds !== null;
  const stripes = [...new Set(jobIds.map(stripeOfJob))].sort((a, b) => a - b);
  const outcome = await memoryTransact<null>(channel, async () => {
    const held = await takeFreeLocks(channel, stripes);
    return channel.step('ensureNodeSlots', (transaction) => {
      const session = transaction.session(sessionId);
      if (session?.isLive !== true) return { refuse: 'the session has ended' };
      const { missing, obsolete } = findWork(transaction, sessionId);
      const nowMs = transaction.nowMs();
      for (const slot of obsolete) {
        if (slot.state !== 'idle' || !held.has(slot.stripe)) continue;
        removeRow(transaction, slot, nowMs, reasons.nodeNotMeant);
      }
      for (const job of missing) {
        if (!held.has(stripeOfJob(job.jobId))) continue;
        createRow(transaction, job, session.nodeName, nowMs);
      }
      return { commit: null };
    });
  });
  if (outcome.outcome === 'unknown') throw outcome.cause;
  return false;
}

/** Takes the slots of a node away that is gone for good, as `forgetNode` does it on each stripe. */
export function forgetNodeRows(
  channel: MemoryChannel,
  nodeName: string,
  stripes: readonly number[],
): Promise<Outcome<number>> {
  return memoryTransact<number>(channel, async () => {
    await takeLocks(channel, stripes);
    return channel.step('forgetNode', (transaction) => {
      for (const row of transaction.sessions()) {
        if (row.isLive && row.nodeName === nodeName) return { refuse: 'node_live' };
      }
      const slots = [...transaction.slots()].filter((slot) => slot.nodeName === nodeName);
      if (slots.some(({ state }) => state !== 'idle')) return { refuse: 'node_not_reaped' };
      const nowMs = transaction.nowMs();
      for (const slot of slots) removeRow(transaction, slot, nowMs, reasons.nodeForgotten);
      bumpVersion(transaction);
      return { commit: slots.length };
    });
  });
}

function findWork(transaction: Transaction, sessionId: string) {
  const me = liveRows(transaction, transaction.nowMs(), sessionId).find(
    (node) => node.sessionId === sessionId,
  );
  if (me === undefined) return { missing: [], obsolete: [] };
  const targeting = targetingRows(transaction);
  const jobs = [...transaction.jobs.rows()].filter((job) => job.isEveryNode && !job.isRemoved);
  const ownSlot = ({ jobId }: JobRow) =>
    slotsOf(transaction, jobId).find(({ nodeName }) => nodeName === me.nodeName);
  const missing = jobs.filter(
    (job) => !me.isDraining && hasPlace(me, job.targetId, targeting) && ownSlot(job) === undefined,
  );
  const obsolete = jobs.flatMap((job) => {
    const slot = hasPlace(me, job.targetId, targeting) ? undefined : ownSlot(job);
    return slot === undefined ? [] : [slot];
  });
  return { missing, obsolete };
}

function eligibleNames(
  transaction: Transaction,
  targetId: number,
  named: readonly SlotRow[],
): Set<string> {
  const facts = new Map<string, NodeFacts>();
  // The last session of a name is the one that was put last.
  for (const row of transaction.sessions()) {
    if (named.some(({ nodeName }) => nodeName === row.nodeName)) facts.set(row.nodeName, row);
  }
  for (const node of liveRows(transaction, transaction.nowMs())) facts.set(node.nodeName, node);
  const targeting = targetingRows(transaction);
  return new Set(
    [...facts.values()]
      .filter((node) => hasPlace(node, targetId, targeting))
      .map(({ nodeName }) => nodeName),
  );
}

/** A slot that is there is left as it is. */
function createRow(
  transaction: Transaction,
  { jobId, targetId }: JobRow,
  nodeName: string,
  fromMs: number,
): void {
  if (slotsOf(transaction, jobId).some((slot) => slot.nodeName === nodeName)) return;
  const cursorMs = ticksInForce(transaction, jobId)?.next(fromMs - 1) ?? null;
  transaction.putSlot({
    slotId: transaction.nextId('slot'),
    jobId,
    nodeName,
    slotNo: 0,
    stripe: stripeOfJob(jobId),
    targetId,
    state: 'idle',
    nextRunMs: cursorMs,
    cursorMs,
    endedMs: null,
    createdMs: fromMs,
    ...holdingNothing,
  });
}

function removeRow(transaction: Transaction, slot: SlotRow, nowMs: number, reason: string): void {
  const job = transaction.jobs.get(slot.jobId);
  if (job === undefined) throw new Error('removeRow: there is no such job');
  const ticks = ticksInForce(transaction, slot.jobId) ?? noTicks;
  insertRanges(transaction, slot, job.revision, accountUntil(slot, ticks, nowMs, reason));
  dropPending(transaction, job, reason, slot.nodeName);
  transaction.removeSlot(slot.slotId);
}

/** Null: the job is paused. */
function ticksInForce(transaction: Transaction, jobId: number): TickSource | null {
  const revision = transaction.jobs.get(jobId)?.revision ?? 0;
  const row = transaction.revisions.get(revisionKey(jobId, revision));
  return row === undefined || row.isPaused ? null : ticksOf(row);
}

function slotsOf(transaction: Transaction, jobId: number): SlotRow[] {
  return [...transaction.slots()].filter((slot) => slot.jobId === jobId);
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };
