import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../../src/domain/errors/outcome.ts';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import {
  chooseInForceFrom,
  type JobChangeKind,
  type SlotChange,
} from '../../../src/domain/policies/jobChange.ts';
import { decideSlotChanges, type SlotOfJob } from '../../../src/domain/policies/jobSlotsChange.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import { requireSameKind } from '../../../src/store/targeting/placeJob.ts';
import { carryOver } from './carryOver.ts';
import { ticksOf } from './claimRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import { placeRows } from './nodeSlotRows.ts';
import { countWaiting } from './pastRows.ts';
import { holdingNothing, makeIdle } from './releaseRows.ts';
import { type JobRow, type RevisionRow, revisionKey, type SlotRow, type Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';

export interface JobAnswer {
  readonly jobId: number;
  readonly revision: number;
}

/** Adds a job with its first revision and its idle slot, as `addJob` does it. */
export function addJobRow(
  channel: MemoryChannel,
  definition: JobDefinition,
  first: { readonly dueMs?: number; readonly inForceFromMs?: number } = {},
): Promise<Outcome<JobAnswer>> {
  return memoryTransact<JobAnswer>(channel, async () => {
    const jobId = await channel.step('addJob', (transaction) => {
      if (jobNamed(channel.parts.server.tables, definition.name) !== undefined) return null;
      return transaction.nextId('job');
    });
    if (jobId === null) return { refuse: 'job_exists' };
    const stripe = stripeOfJob(jobId);
    await takeLocks(channel, [stripe]);
    return channel.step('addJob slot', (transaction) => {
      const inForceFromMs = first.inForceFromMs ?? transaction.nowMs();
      const row = { jobId, name: definition.name, isRemoved: false, revision: 1, isPaused: false };
      transaction.jobs.put(jobId, { ...row, isEveryNode: false, targetId: 0 });
      const revision = {
        jobId,
        revision: 1,
        definition,
        isPaused: false,
        inForceFromMs,
        inForceUntilMs: null,
      };
      transaction.revisions.put(revisionKey(jobId, 1), revision);
      const cursorMs = first.dueMs ?? ticksOf(revision).next(inForceFromMs - 1);
      transaction.putSlot(newSlot(transaction.nextId('slot'), jobId, stripe, cursorMs));
      placeRows(transaction, revision);
      resizeRows(transaction, jobId, definition);
      return { commit: { jobId, revision: 1 } };
    });
  });
}

/** Edits, pauses, resumes or removes a job, as `changeJob` does it. */
export function changeJobRow(
  channel: MemoryChannel,
  jobId: number,
  kind: JobChangeKind,
  edit: (definition: JobDefinition) => JobDefinition = (same) => same,
  pause: { readonly resumeAtMs?: number; readonly onlyWhenDue?: boolean } = {},
): Promise<Outcome<JobAnswer>> {
  return memoryTransact<JobAnswer>(channel, async () => {
    await takeLocks(channel, [stripeOfJob(jobId)]);
    return channel.step(`${kind}Job`, (transaction) => {
      const job = transaction.jobs.get(jobId);
      const old = transaction.revisions.get(revisionKey(jobId, job?.revision ?? 0));
      if (job === undefined || old === undefined || job.isRemoved) return { refuse: 'job_missing' };
      const definition = kind === 'edit' ? edit(old.definition) : old.definition;
      const isKept = pause.onlyWhenDue === true && !isResumeDue(job, transaction.nowMs());
      const isPaused = kind === 'edit' || isKept ? job.isPaused : kind !== 'resume';
      const end = kind === 'pause' ? pause.resumeAtMs : (job.resumeAtMs ?? undefined);
      const resumeAtMs = isPaused ? (end ?? null) : null;
      const isSame = isPaused === job.isPaused && isDeepStrictEqual(definition, old.definition);
      if (isSame && kind !== 'remove') {
        transaction.jobs.put(jobId, { ...job, resumeAtMs });
        return { commit: { jobId, revision: job.revision } };
      }
      const paused = { ...job, resumeAtMs };
      return { commit: writeRevision(transaction, kind, paused, old, { definition, isPaused }) };
    });
  });
}

/** Whether a pause has come to the end that it was given. */
export function isResumeDue(job: JobRow, nowMs: number): boolean {
  const { resumeAtMs = null } = job;
  return job.isPaused && !job.isRemoved && resumeAtMs !== null && resumeAtMs <= nowMs;
}

/** A job that is not removed, by its name. */
export function jobNamed({ jobsByName }: Tables, name: string): JobRow | undefined {
  for (const job of jobsByName.rows(name)) if (!job.isRemoved) return job;
  return undefined;
}

function writeRevision(
  transaction: Transaction,
  kind: JobChangeKind,
  job: JobRow,
  old: RevisionRow,
  next: {
    readonly definition: JobDefinition;
    readonly isPaused: boolean;
    readonly reason?: string;
  },
): JobAnswer {
  const { jobId } = job;
  const revision = job.revision + 1;
  const slots = transaction.slotsOfJob(jobId);
  requireSameKind(old.definition, next.definition, slots);
  const changing = slots.map((slot) => changingOf(slot, countWaiting(transaction, slot)));
  const oldTicks = old.isPaused ? null : ticksOf(old);
  const nowMs = transaction.nowMs();
  const inForceFromMs = chooseInForceFrom(nowMs, old.inForceFromMs, oldTicks, changing);
  transaction.revisions.put(revisionKey(jobId, old.revision), {
    ...old,
    inForceUntilMs: inForceFromMs,
  });
  const inForceUntilMs = kind === 'remove' ? inForceFromMs : null;
  const row = { jobId, revision, ...next, inForceFromMs, inForceUntilMs };
  transaction.revisions.put(revisionKey(jobId, revision), row);
  const isRemoved = kind === 'remove';
  const counts = kind === 'resume' ? { ticksRun: 0, failuresInRow: 0 } : {};
  transaction.jobs.put(jobId, { ...job, ...counts, revision, isPaused: next.isPaused, isRemoved });
  const newTicks = next.isPaused ? null : ticksOf(row);
  const change = {
    kind,
    nowMs,
    inForceFromMs,
    oldTicks,
    newTicks,
    policies: old.definition,
  };
  const changes = decideSlotChanges(changing, change);
  const decided = slots.map((slot, place) => ({ slot, change: changes[place] as SlotChange }));
  carryOver(transaction, kind, job, decided);
  if (kind === 'edit') {
    placeRows(transaction, row);
    resizeRows(transaction, jobId, next.definition);
  }
  return { jobId, revision };
}

/** Pauses a job in a transaction that holds its stripe, as `pauseInPlace` does it. */
export function pauseJobInPlace(transaction: Transaction, jobId: number, reason: string): void {
  const job = transaction.jobs.get(jobId);
  const old = transaction.revisions.get(revisionKey(jobId, job?.revision ?? 0));
  if (job === undefined || old === undefined || job.isPaused) return;
  const { definition } = old;
  writeRevision(transaction, 'pause', job, old, { definition, isPaused: true, reason });
}

/** Gives a job as many slots side by side as it may run launches at once, as `resizeSlots` does. */
function resizeRows(
  transaction: Transaction,
  jobId: number,
  { parallel = 1 }: JobDefinition,
): void {
  const slots = transaction.slotsOfJob(jobId);
  for (const { slotId, slotNo, state } of slots) {
    if (slotNo >= parallel && state === 'idle') transaction.removeSlot(slotId);
  }
  for (const first of slots.filter(({ slotNo }) => slotNo === 0)) {
    const { nodeName, stripe, targetId, cursorMs, createdMs } = first;
    const own = slots.filter((slot) => slot.nodeName === nodeName);
    const present = new Set(own.map(({ slotNo }) => slotNo));
    for (let slotNo = 1; slotNo < parallel; slotNo += 1) {
      if (present.has(slotNo)) continue;
      const slotId = transaction.nextId('slot');
      const created = createdMs === undefined ? {} : { createdMs };
      const copy = { nodeName, slotNo, targetId, ...created };
      const slot = { ...newSlot(slotId, jobId, stripe, cursorMs), ...copy };
      transaction.putSlot(slot);
      makeIdle(transaction, slot, null);
    }
  }
}

function changingOf(slot: SlotRow, waiting: number): SlotOfJob {
  const { nodeName, state, cursorMs, endedMs, trigger, scheduledForMs } = slot;
  const isPrepared = state === 'prepare' && trigger !== null && scheduledForMs !== null;
  const launch = isPrepared ? { trigger, scheduledForMs } : null;
  return { nodeName, waiting, state, cursorMs, endedMs, launch };
}

function newSlot(slotId: number, jobId: number, stripe: number, cursorMs: number | null): SlotRow {
  return {
    slotId,
    jobId,
    nodeName: '',
    slotNo: 0,
    stripe,
    targetId: 0,
    state: 'idle',
    nextRunMs: cursorMs,
    cursorMs,
    endedMs: null,
    ...holdingNothing,
  };
}
