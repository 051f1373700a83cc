import type { Reason } from '../../domain/reasons/reasons.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { integer, only } from '../rows/row.ts';
import { keepFailureOfSlots } from './lastFailure.ts';

/**
 * The ways back to idle without a finish: reset, reap and withdraw. All put the tick back where the
 * next claim finds it: a tick of the schedule becomes the cursor again, a pending launch becomes a
 * pending row again, and so does the tick of one of several slots side by side, since others may
 * have gone on to later ticks. The caller holds the stripes and has read the rows under them.
 */
export async function putBackSlots(
  connection: ChannelConnection,
  slotIds: readonly number[],
): Promise<void> {
  if (slotIds.length === 0) return;
  const found = await connection.rows(only(integer), selectParallel, [slotIds]);
  const parallel = [-1, ...found];
  await connection.change(restorePending, [slotIds, parallel]);
  const affected = await connection.change(putBack, [parallel, slotIds]);
  if (affected !== slotIds.length) throw new Error('putBackSlots: a row changed under its lock');
}

/**
 * Makes slots idle whose tick has been accounted for: cursor and pending stay as they are. What was
 * executing ended at the given instant, now by default: ticks up to it fell into the run.
 */
export async function releaseSlots(
  connection: ChannelConnection,
  slotIds: readonly number[],
  endedMs: number | null = null,
): Promise<void> {
  if (slotIds.length === 0) return;

  const affected = await connection.change(release, [dateOf(endedMs), slotIds]);
  if (affected !== slotIds.length) throw new Error('releaseSlots: a row changed under its lock');
}

/** Writes the run rows of launches that end without a finish, copied from their slots. */
export async function recordUnfinished(
  connection: ChannelConnection,
  slotIds: readonly number[],
  ending: {
    result: 'lost' | 'not_started' | 'skipped' | 'stopped' | 'missed';
    isFinal: boolean;
    reason: Reason;
  },
): Promise<void> {
  if (slotIds.length === 0) return;
  const { result, isFinal, reason } = ending;
  await connection.change(copyToRun, [result, isFinal, reason, slotIds]);
  await keepFailureOfSlots(connection, slotIds, result);
}

export function idsOf(slots: readonly { readonly slotId: number }[]): number[] {
  return slots.map(({ slotId }) => slotId);
}

/** Later than any instant that a schedule can name; stands in for "none" inside LEAST. */
const never = "'9999-12-31 00:00:00.000'";

/**
 * The assignments that make a slot idle, for every arrow that ends there: due again at the earlier
 * of its cursor and its earliest pending launch. A statement that changes the cursor does so before
 * these, since MariaDB and MySQL evaluate assignments from left to right.
 */
export const idleAssignments = `next_run_at = NULLIF(LEAST(
      IFNULL(cursor_at, ${never}),
      IFNULL((SELECT MIN(pending.not_before) FROM pending
        WHERE pending.job_id = slot.job_id AND pending.node_name = slot.node_name), ${never})),
      ${never}),
    state = 'idle', revision = NULL, triggered_by = NULL, request_id = NULL, attempt = NULL,
    scheduled_for = NULL, launch_id = NULL, session_id = NULL, started_at = NULL,
    stop_requested_at = NULL`;

const selectParallel = `/* putBackSlots parallel */ SELECT DISTINCT slot.slot_id
  FROM slot JOIN slot other ON other.job_id = slot.job_id AND other.node_name = slot.node_name
    AND other.slot_no <> slot.slot_no
  WHERE slot.slot_id IN (?)`;
/**
 * While it is held, `next_run_at` is when a launch ought to start: a retry keeps its delay. What
 * has no delay is back in its place among those that wait, a backfill before its later ticks.
 */
const restorePending = `/* putBackSlots pending */ INSERT IGNORE INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT job_id, node_name, IF(triggered_by IN ('schedule', 'misfire'), 'queue', triggered_by),
    scheduled_for, attempt, IFNULL(request_id, ''),
    IF(triggered_by IN ('manual', 'queue', 'backfill'), scheduled_for, next_run_at)
  FROM slot WHERE slot_id IN (?) AND state <> 'idle'
    AND (triggered_by NOT IN ('schedule', 'misfire') OR slot_id IN (?))`;
const putBack = `/* putBackSlots */ UPDATE slot
  SET cursor_at = IF(triggered_by IN ('schedule', 'misfire') AND slot_id NOT IN (?),
      scheduled_for, cursor_at),
    ${idleAssignments}
  WHERE slot_id IN (?) AND state <> 'idle'`;
const release = `/* releaseSlots */ UPDATE slot
  SET last_started_at = IF(state = 'executing', started_at, last_started_at),
    ended_at = IF(state = 'executing', IFNULL(?, NOW(3)), ended_at), ${idleAssignments}
  WHERE slot_id IN (?) AND state <> 'idle'`;
const copyToRun = `/* recordUnfinished */ INSERT INTO run (job_id, revision, node_name, slot_no,
    launch_id, session_id, triggered_by, request_id, attempt, scheduled_for, started_at, ended_at,
    result, is_final, reason)
  SELECT job_id, revision, node_name, slot_no, launch_id, session_id, triggered_by, request_id,
    attempt, scheduled_for, started_at, NOW(3), ?, ?, ?
  FROM slot WHERE slot_id IN (?)`;
