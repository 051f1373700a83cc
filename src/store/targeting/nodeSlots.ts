import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { accountUntil } from '../../domain/policies/accountUntil.ts';
import { busyTimes } from '../../domain/policies/slotsPast.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import type { TickSource } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf, type Parameter } from '../connection/queryable.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { endPending } from '../slots/endPending.ts';
import { byPlace, pastKey } from '../slots/readPasts.ts';
import { idsOf } from '../slots/releaseSlots.ts';
import { insertTickRanges } from '../slots/tickRanges.ts';

/** A job's revision as the transaction that holds its stripe has it. */
export interface PlacedRevision {
  readonly jobId: number;
  readonly targetId: number;
  readonly revision: number;
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly inForceFromMs: number;
}

/** The same, for the making of its slots. */
export type PlacedJob = ReturnType<typeof placedJob>;

export function placedJob({ definition, isPaused, inForceFromMs, ...ids }: PlacedRevision) {
  return {
    ...ids,
    inForceFromMs,
    /** How many slots side by side each node has. */
    parallel: definition.parallel ?? 1,
    /** Null: it is paused, so that nothing of it is due. */
    ticks: isPaused ? null : ticksOfRevision(definition, inForceFromMs),
  };
}

/**
 * Makes the idle slots of each node name that the job has none of, owing its ticks from the given
 * instant on, but none of before its revision: the one before it, which is in force until the last
 * launch that was claimed by it, is no business of theirs. IGNORE: one that is there is left as it
 * is.
 */
export async function createNodeSlots(
  connection: ChannelConnection,
  slots: readonly { readonly job: PlacedJob; readonly nodeName: string }[],
  fromMs: number,
): Promise<void> {
  const values = slots.flatMap(({ job, nodeName }): Parameter[][] => {
    const { inForceFromMs, jobId, parallel, targetId, ticks } = job;
    const sinceMs = Math.max(fromMs, inForceFromMs);
    const nextMs = ticks?.next(sinceMs - 1) ?? null;
    const cursor = dateOf(nextMs);
    return Array.from({ length: parallel }, (_, slotNo) => {
      const place = [jobId, nodeName, slotNo, stripeOfJob(jobId), targetId];
      return [...place, cursor, cursor, new Date(sinceMs)];
    });
  });
  await connection.insert(insertSlots, values);
}

/** Which of the slots stand beside none that is held: the others may still need their cursor. */
export function wholeIdle(slots: readonly NodeSlot[]): NodeSlot[] {
  const held = new Set(slots.filter(({ isIdle }) => !isIdle).map(pastKey));
  return slots.filter((slot) => !held.has(pastKey(slot)));
}

/**
 * Takes idle slots away, all of a job and node name together, whose node is not to run the job any
 * more: every tick up to now, and every requested launch, gets its history row with the reason
 * (P19). The caller holds their stripe and has read the rows under it. Those of no given job stay;
 * resolves to how many went.
 */
export async function removeIdleSlots(
  connection: ChannelConnection,
  idle: readonly NodeSlot[],
  jobs: ReadonlyMap<number, PlacedJob>,
  nowMs: number,
  reason: Reason,
): Promise<number> {
  const slots = idle.filter(({ jobId }) => jobs.has(jobId));
  if (slots.length === 0) return 0;
  const places = [...byPlace(slots).values()];
  // Those side by side share their cursor. All are idle, so that one was free since the first end.
  const ranges = places.flatMap((siblings) => {
    const [slot] = siblings;
    const job = slot && jobs.get(slot.jobId);
    if (slot === undefined || job === undefined) return [];
    const { endedMs } = busyTimes(siblings.map((each) => ({ ...each, ...neverStarted })));
    const past = { cursorMs: slot.cursorMs, endedMs };
    const passed = accountUntil(past, job.ticks ?? noTicks, nowMs, reason);
    return passed.map((range) => ({ slot: { ...slot, revision: job.revision }, range }));
  });
  await insertTickRanges(connection, ranges);
  const pairs = places.flatMap(([slot]) => (slot ? [[slot.jobId, slot.nodeName]] : []));
  const ofPairs = '(pending.job_id, pending.node_name) IN (?)';
  await endPending(connection, ofPairs, [pairs], { result: 'skipped', reason });
  const affected = await connection.change(deleteSlots, [idsOf(slots)]);
  if (affected !== slots.length) throw new Error('removeIdleSlots: a row changed under its lock');
  return slots.length;
}

const neverStarted = { startedMs: null, lastStartedMs: null };

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

/** A slot that may be taken away. */
export const nodeSlot = rowOf({
  ...each(integer, 'slotId', 'jobId', 'slotNo'),
  nodeName: text,
  isIdle: flag,
  ...each(nullable(instantMs), 'cursorMs', 'endedMs'),
});
export type NodeSlot = ReturnType<typeof nodeSlot>;
export const nodeSlotColumns = `slot.slot_id, slot.job_id, slot.node_name, slot.slot_no,
    slot.state = 'idle' AS is_idle, slot.cursor_at AS 'cursor', slot.ended_at AS ended`;

const insertSlots = `/* createNodeSlots */ INSERT IGNORE INTO slot
    (job_id, node_name, slot_no, stripe, target_id, cursor_at, next_run_at, created_at)
  VALUES ?`;
const deleteSlots = `/* removeIdleSlots */ DELETE FROM slot
  WHERE slot_id IN (?) AND state = 'idle'`;
