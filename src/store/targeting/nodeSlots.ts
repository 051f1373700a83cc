import type { Reason } from '../../domain/policies/reasons.ts';
import { busyTimes, type Sibling } from '../../domain/slotsPast.ts';
import { accountUntil } from '../../domain/targeting/accountUntil.ts';
import type { TickSource } from '../../domain/tickSource.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import type { Parameter } from '../queryable.ts';
import { pastKey as keyOf } from '../slots/readPasts.ts';
import { insertTickRanges } from '../slots/tickRanges.ts';

/** A job as the transaction that holds its stripe sees it, for the making of its slots. */
export interface PlacedJob {
  readonly jobId: number;
  readonly stripe: number;
  readonly targetId: number;
  readonly revision: number;
  /** How many slots side by side each node has. */
  readonly parallel: number;
  /** Null: it is paused, so that nothing of it is due. */
  readonly ticks: TickSource | null;
}

/**
 * Makes the idle slots of each node name that the job has none of, owing its ticks from the given
 * instant on. IGNORE: one that is there is left as it is.
 */
export async function createNodeSlots(
  connection: ChannelConnection,
  slots: readonly { readonly job: PlacedJob; readonly nodeName: string }[],
  fromMs: number,
): Promise<void> {
  if (slots.length === 0) return;
  const values = slots.flatMap(({ job, nodeName }): Parameter[][] => {
    const { jobId, parallel, stripe, targetId, ticks } = job;
    const nextMs = ticks?.next(fromMs - 1) ?? null;
    const cursor = nextMs === null ? null : new Date(nextMs);
    return Array.from({ length: parallel }, (_, slotNo) => {
      return [jobId, nodeName, slotNo, stripe, targetId, cursor, cursor, new Date(fromMs)];
    });
  });
  for (let at = 0; at < values.length; at += rowsMax) {
    await connection.change(insertSlots, [values.slice(at, at + rowsMax)]);
  }
}

/** Of one statement. */
const rowsMax = 500;

/** Which of the slots stand beside none that is held: the others may still need their cursor. */
export function wholeIdle(rows: readonly Row[]): Row[] {
  const held = new Set(rows.filter(({ state }) => state !== 'idle').map(pastKey));
  return rows.filter((row) => !held.has(pastKey(row)));
}

/**
 * Takes idle slots away, all of a job and node name together, whose node is not to run the job any
 * more: every tick up to now, and every launch asked for, gets its history row with the reason
 * (P19). The caller holds their stripe and has read the rows under it.
 */
export async function removeIdleSlots(
  connection: ChannelConnection,
  slots: readonly { readonly job: PlacedJob; readonly row: Row }[],
  nowMs: number,
  reason: Reason,
): Promise<void> {
  if (slots.length === 0) return;
  const places = new Map<string, { job: PlacedJob; rows: [Row, ...Row[]] }>();
  for (const { job, row } of slots) {
    const known = places.get(pastKey(row));
    if (known === undefined) places.set(pastKey(row), { job, rows: [row] });
    else known.rows.push(row);
  }
  // Those side by side share their cursor. All are idle, so that one was free since the first end.
  const ranges = [...places.values()].flatMap(({ job, rows }) => {
    const { jobId, revision, ticks } = job;
    const [row] = rows;
    const { node_name: nodeName, slot_no: slotNo } = row as { node_name: string; slot_no: number };
    const cursorMs = (row.cursor_at as Date | null)?.getTime() ?? null;
    const { endedMs } = busyTimes(rows.map(siblingOf));
    const passed = accountUntil({ cursorMs, endedMs }, ticks ?? noTicks, nowMs, reason);
    return passed.map((range) => ({ slot: { jobId, revision, nodeName, slotNo }, range }));
  });
  await insertTickRanges(connection, ranges);
  const pairs = [...places.values()].map(({ rows: [row] }) => [row.job_id, row.node_name]);
  await connection.change(recordPending, [reason, pairs]);
  await connection.change(deletePending, [pairs]);
  const ids = slots.map(({ row }) => row.slot_id as number);
  const affected = await connection.change(deleteSlots, [ids]);
  if (affected !== ids.length) throw new Error('removeIdleSlots: a row changed under its lock');
}

function siblingOf(row: Row): Sibling {
  const endedMs = (row.ended_at as Date | null)?.getTime() ?? null;
  return { isIdle: row.state === 'idle', startedMs: null, lastStartedMs: null, endedMs };
}

function pastKey(row: Row): string {
  return keyOf({ jobId: row.job_id as number, nodeName: row.node_name as string });
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

const insertSlots = `/* createNodeSlots */ INSERT IGNORE INTO slot
    (job_id, node_name, slot_no, stripe, target_id, cursor_at, next_run_at, created_at)
  VALUES ?`;
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
