import { accountUntil } from '../../domain/targeting/accountUntil.ts';
import type { TickSource } from '../../domain/tickSource.ts';
import type { ChannelConnection, Parameter, Row } from '../channel.ts';
import { insertTickRanges } from '../slots/tickRanges.ts';

/** A job as the transaction that holds its stripe sees it, for the making of its slots. */
export interface PlacedJob {
  readonly jobId: number;
  readonly stripe: number;
  readonly targetId: number;
  readonly revision: number;
  /** Null: it is paused, so that nothing of it is due. */
  readonly ticks: TickSource | null;
}

/**
 * Makes an idle slot for each node name that the job has none of, owing its ticks from the given
 * instant on. IGNORE: one that is there is left as it is.
 */
export async function createNodeSlots(
  connection: ChannelConnection,
  slots: readonly { readonly job: PlacedJob; readonly nodeName: string }[],
  fromMs: number,
): Promise<void> {
  if (slots.length === 0) return;
  const values = slots.map(({ job, nodeName }): Parameter[] => {
    const nextMs = job.ticks?.next(fromMs - 1) ?? null;
    const cursor = nextMs === null ? null : new Date(nextMs);
    return [job.jobId, nodeName, job.stripe, job.targetId, cursor, cursor, new Date(fromMs)];
  });
  await connection.change(insertSlots, [values]);
}

/**
 * Takes idle slots away whose node is not to run the job any more: every tick up to now, and every
 * launch asked for, gets its history row with the reason (P19). The caller holds their stripe and
 * has read the rows under it.
 */
export async function removeIdleSlots(
  connection: ChannelConnection,
  slots: readonly { readonly job: PlacedJob; readonly row: Row }[],
  nowMs: number,
  reason: string,
): Promise<void> {
  if (slots.length === 0) return;
  const ranges = slots.flatMap(({ job: { jobId, revision, ticks }, row }) => {
    const { node_name: nodeName, slot_no: slotNo } = row as { node_name: string; slot_no: number };
    const cursorMs = (row.cursor_at as Date | null)?.getTime() ?? null;
    const endedMs = (row.ended_at as Date | null)?.getTime() ?? null;
    const passed = accountUntil({ cursorMs, endedMs }, ticks ?? noTicks, nowMs, reason);
    return passed.map((range) => ({ slot: { jobId, revision, nodeName, slotNo }, range }));
  });
  await insertTickRanges(connection, ranges);
  const pairs = slots.map(({ row }): Parameter[] => [row.job_id, row.node_name]);
  await connection.change(recordPending, [reason, pairs]);
  await connection.change(deletePending, [pairs]);
  const ids = slots.map(({ row }) => row.slot_id as number);
  const affected = await connection.change(deleteSlots, [ids]);
  if (affected !== ids.length) throw new Error('removeIdleSlots: a row changed under its lock');
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

const insertSlots = `/* createNodeSlots */ INSERT IGNORE INTO slot
    (job_id, node_name, stripe, target_id, cursor_at, next_run_at, created_at) VALUES ?`;
const recordPending = `/* removeIdleSlots pending */ INSERT INTO run (job_id, revision, node_name,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  SELECT pending.job_id, job.revision, node_name, triggered_by, NULLIF(request_id, ''), attempt,
    scheduled_for, NOW(3), 'skipped', ?
  FROM pending JOIN job ON job.job_id = pending.job_id
  WHERE (pending.job_id, pending.node_name) IN (?)`;
const deletePending = `/* removeIdleSlots pending taken */ DELETE FROM pending
  WHERE (job_id, node_name) IN (?)`;
const deleteSlots = `/* removeIdleSlots */ DELETE FROM slot
  WHERE slot_id IN (?) AND state = 'idle'`;
