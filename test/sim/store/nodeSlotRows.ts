import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import { accountUntil } from '../../../src/domain/policies/accountUntil.ts';
import { busyTimes } from '../../../src/domain/policies/slotsPast.ts';
import { type Reason, reasons } from '../../../src/domain/reasons/reasons.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import type { TickSource } from '../../../src/domain/run/tickSource.ts';
import { runsBeside } from '../../../src/domain/targeting/mayTake.ts';
import type { NodeFacts } from '../../../src/domain/targeting/nodeFacts.ts';
import { hasOwnSlots } from '../../../src/domain/targeting/takeable.ts';
import { dropPending } from './carryOver.ts';
import { insertRanges, ticksOf } from './claimRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeFreeLocks, takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import type { NodeCaches } from './nodeCaches.ts';
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
  for (const slot of transaction.slotsOfJob(jobId)) {
    if (slot.targetId !== targetId) transaction.putSlot({ ...slot, targetId });
  }
  const slots = transaction.slotsOfJob(jobId);
  const named = slots.filter(({ nodeName }) => nodeName !== '');
  const wanted = namesOfOwn(transaction, placed, named);
  if (!isEveryNode) wanted.add('');
  const isSameKind = isEveryNode === slots.every(({ nodeName }) => nodeName !== '');
  const reason = isSameKind ? reasons.nodeNotMeant : reasons.kindChanged;
  const gone = slots.filter(({ nodeName }) => !wanted.has(nodeName));
  for (const idle of idlePlaces(gone)) removePlace(transaction, idle, inForceFromMs - 1, reason);
  for (const nodeName of wanted) createRow(transaction, placed, nodeName, inForceFromMs);
  if (isEveryNode) bumpVersion(transaction);
}

/** Makes and takes away the own slots of every-node jobs, as `ensureNodeSlots` does it. */
export async function ensureNodeSlotRows(
  channel: MemoryChannel,
  caches: NodeCaches,
  sessionId: string,
): Promise<boolean> {
  const { server } = channel.parts;
  const jobIds = await channel.query('ensureNodeSlots look', (session) => {
    const version = server.tables.targetingVersion.get('version') ?? 0;
    if (caches.isNewTargeting(version)) session.counts.add('newTargeting');
    const work = findWork(server.begin(session), sessionId);
    server.rollBack(session);
    return [...new Set([...work.missing, ...work.obsolete].map(({ jobId }) => jobId))];
  });
  if (jobIds.length === 0) return true;
  const stripes = [...new Set(jobIds.map(stripeOfJob))].sort((a, b) => a - b);
  const outcome = await memoryTransact<null>(channel, async () => {
    const held = await takeFreeLocks(channel, stripes);
    return channel.step('ensureNodeSlots', (transaction) => {
      const session = transaction.session(sessionId);
      if (session?.isLive !== true) return { refuse: 'the session has ended' };
      const { missing, obsolete } = findWork(transaction, sessionId);
      const nowMs = transaction.nowMs();
      for (const idle of idlePlaces(obsolete.filter(({ stripe }) => held.has(stripe)))) {
        removePlace(transaction, idle, nowMs, reasons.nodeNotMeant);
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
      const slots = transaction.slotsOfNode(nodeName);
      if (slots.some(({ state }) => state !== 'idle')) return { refuse: 'node_not_reaped' };
      const nowMs = transaction.nowMs();
      for (const idle of idlePlaces(slots)) {
        removePlace(transaction, idle, nowMs, reasons.nodeForgotten);
      }
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
  const live = liveRows(transaction, transaction.nowMs(), sessionId);
  transaction.count('liveSessions', live.length);
  const ownSlots = transaction.slotsOfNode(me.nodeName);
  const present = new Set(ownSlots.map(({ jobId }) => jobId));
  const isWanted = (job: JobRow | undefined) =>
    job !== undefined && hasOwnSlots(me, job, live, targeting);
  const jobs = runsBeside(me, live) ? transaction.jobs.rows() : transaction.jobsOfEveryNode();
  const missing =
    me.isDraining && !me.isCordoned
      ? []
      : [...jobs].filter((job) => !job.isRemoved && !present.has(job.jobId) && isWanted(job));
  const obsolete = ownSlots.filter(({ jobId }) => {
    const job = transaction.jobs.get(jobId);
    return job?.isRemoved === false && !isWanted(job);
  });
  return { missing, obsolete };
}

function namesOfOwn(transaction: Transaction, job: JobRow, named: readonly SlotRow[]): Set<string> {
  const facts = new Map<string, NodeFacts>();
  // The last session of a name is the one that was put last.
  for (const row of transaction.sessions()) {
    if (named.some(({ nodeName }) => nodeName === row.nodeName)) facts.set(row.nodeName, row);
  }
  const live = liveRows(transaction, transaction.nowMs());
  for (const node of live) facts.set(node.nodeName, node);
  const targeting = targetingRows(transaction);
  return new Set(
    [...facts.values()]
      .filter((node) => hasOwnSlots(node, job, live, targeting))
      .map(({ nodeName }) => nodeName),
  );
}

/** Slots that are there are left as they are. */
function createRow(
  transaction: Transaction,
  { jobId, targetId, revision }: JobRow,
  nodeName: string,
  fromMs: number,
): void {
  if (transaction.slotsOfJob(jobId).some((slot) => slot.nodeName === nodeName)) return;
  const { definition, inForceFromMs = 0 } =
    transaction.revisions.get(revisionKey(jobId, revision)) ?? {};
  const sinceMs = Math.max(fromMs, inForceFromMs);
  const cursorMs = ticksInForce(transaction, jobId)?.next(sinceMs - 1) ?? null;
  const { parallel = 1 } = definition ?? {};
  for (let slotNo = 0; slotNo < parallel; slotNo += 1) {
    transaction.putSlot({
      slotId: transaction.nextId('slot'),
      jobId,
      nodeName,
      slotNo,
      stripe: stripeOfJob(jobId),
      targetId,
      state: 'idle',
      nextRunMs: cursorMs,
      cursorMs,
      endedMs: null,
      createdMs: sinceMs,
      ...holdingNothing,
    });
  }
}

/** The slots side by side of each job and node name of which none is held. */
function idlePlaces(slots: readonly SlotRow[]): SlotRow[][] {
  const places = new Map<string, SlotRow[]>();
  for (const slot of slots) {
    const key = `${slot.jobId}:${slot.nodeName}`;
    places.set(key, [...(places.get(key) ?? []), slot]);
  }
  return [...places.values()].filter((place) => place.every(({ state }) => state === 'idle'));
}

function removePlace(
  transaction: Transaction,
  place: readonly SlotRow[],
  nowMs: number,
  reason: Reason,
): void {
  const [slot] = place;
  if (slot === undefined) return;
  const job = transaction.jobs.get(slot.jobId);
  if (job === undefined) throw new Error('removeRow: there is no such job');
  const ticks = ticksInForce(transaction, slot.jobId) ?? noTicks;
  const times = place.map(({ endedMs }) => {
    return { isIdle: true, startedMs: null, lastStartedMs: null, endedMs };
  });
  const { endedMs } = busyTimes(times);
  const { cursorMs } = slot;
  const ranges = accountUntil({ cursorMs, endedMs }, ticks, nowMs, reason);
  insertRanges(transaction, slot, job.revision, ranges);
  dropPending(transaction, job, reason, slot.nodeName);
  for (const { slotId } of place) transaction.removeSlot(slotId);
}

/** Null: the job is paused. */
function ticksInForce(transaction: Transaction, jobId: number): TickSource | null {
  const revision = transaction.jobs.get(jobId)?.revision ?? 0;
  const row = transaction.revisions.get(revisionKey(jobId, revision));
  return row === undefined || row.isPaused ? null : ticksOf(row);
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };
