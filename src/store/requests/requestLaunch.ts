import { OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import type { Trigger } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { instantMs, integer, only } from '../rows/row.ts';
import { idleAssignments, putBackSlots } from '../slots/releaseSlots.ts';

/** A launch that is requested, beside the ticks of the schedule. */
export interface LaunchRequest {
  readonly jobId: number;
  readonly requestId: string;
  readonly trigger: Extract<Trigger, 'manual' | 'retry' | 'backfill' | 'chain'>;
  readonly attempt?: number;
  /** Absent: now, by the database's clock. */
  readonly scheduledFor?: Date;
  /** Only for slots of this node name; absent: `chosenSlots`. */
  readonly slotNodeName?: string;
}

/** What comes with a request and is no part of the job's definition. */
export interface RequestDetails {
  readonly env: JobDefinition['env'];
  /** The only node that may take it; null: any that may run the job. */
  readonly wantedNode: string | null;
}

/**
 * For the FROM and WHERE of a statement about one job: the slots of the node that the cluster
 * chooses, or of every node of an every-node job. A node that runs each tick beside the chosen one
 * takes no requests.
 */
export const chosenSlots = `slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.job_id = ? AND (slot.node_name = '' OR job.every_node = 1)`;

/** The same: the slots that a node has of its own, or with '' those of the node that is chosen. */
export const slotsOfNode = 'slot WHERE slot.job_id = ? AND slot.node_name = ?';

/** The scheduled times that a request has launches for: pending, held by a slot, or history. */
export function readRequested(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
): Promise<number[]> {
  const ids = [jobId, requestId, jobId, requestId, requestId, jobId];
  return connection.rows(only(instantMs), selectRequested, ids);
}

/**
 * Adds a pending launch: '' for a job that any node runs, else for each node name that it has slots
 * of. The caller holds the stripes, and wakes the slots afterwards. Resolves to how many.
 */
export function insertPending(
  connection: ChannelConnection,
  request: LaunchRequest,
): Promise<number> {
  const { jobId, requestId, trigger, attempt = 1, scheduledFor = null, slotNodeName } = request;
  const parameters = [trigger, scheduledFor, attempt, requestId, jobId];
  return slotNodeName === undefined
    ? connection.change(insertForChosen, parameters)
    : connection.change(insertForOne, [...parameters, slotNodeName]);
}

/**
 * Keeps what comes with a request until long after its last attempt: pending launches, slots and
 * history carry its id, so that an attempt is the same one whichever way it came. Resolves to false
 * when the id is known with its details already.
 */
export async function keepDetails(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
  { env, wantedNode }: RequestDetails,
): Promise<boolean> {
  const text = Object.keys(env).length === 0 ? null : JSON.stringify(env);
  return (await connection.change(insertDetails, [jobId, requestId, text, wantedNode])) === 1;
}

/**
 * Writes the history row of a requested launch that never will be. The caller holds the
 * stripes and has taken the request away, or never added it.
 */
export function recordSkippedRequest(
  connection: ChannelConnection,
  request: LaunchRequest,
  revision: number,
  reason: Reason,
): Promise<number> {
  const { jobId, requestId, trigger, attempt = 1, scheduledFor = null } = request;
  const { slotNodeName = '' } = request;
  const key = [jobId, revision, slotNodeName, trigger, requestId, attempt, scheduledFor];
  return connection.change(insertRun, [...key, reason]);
}

/**
 * Makes a job's slots look at its pending launches, some of which were just added. A launch that
 * waits for a later tick gives way; its tick is the cursor again. The caller holds the stripes.
 */
export async function wakeJob(connection: ChannelConnection, jobId: number): Promise<void> {
  await putBackSlots(connection, await connection.rows(only(integer), selectWaiting, [jobId]));
  await connection.change(wakeSlots, [jobId]);
}

/** Refused: the slots that a request is for are not there any more. */
export function noPlace(nodeName: string): OperatorError {
  const where = nodeName === '' ? '' : ` on ${nodeName}`;
  const message = `The job has no place to run${where} any more.`;
  const hint = 'See where it may run: statecron job show';
  return new OperatorError({ code: 'node_not_eligible', message, hint });
}

const columns = `(job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT DISTINCT slot.job_id, slot.node_name, ?, IFNULL(CAST(? AS DATETIME(3)), NOW(3)), ?, ?,
    NOW(3)`;
const insertForChosen = `/* insertPending */ INSERT IGNORE INTO pending ${columns}
  FROM ${chosenSlots}`;
const insertForOne = `/* insertPending one */ INSERT IGNORE INTO pending ${columns}
  FROM ${slotsOfNode}`;
const insertDetails = `/* keepDetails */ INSERT IGNORE INTO launch_request
    (job_id, request_id, env, wanted_node, asked_at)
  VALUES (?, ?, ?, ?, NOW(3))`;
const insertRun = `/* recordSkippedRequest */ INSERT INTO run (job_id, revision, node_name,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  VALUES (?, ?, ?, ?, ?, ?, IFNULL(CAST(? AS DATETIME(3)), NOW(3)), NOW(3), 'skipped', ?)`;
/** One whose time is nearer than a second is left alone: its start may be under way. */
const selectWaiting = `/* wakeJob waiting */ SELECT slot_id FROM slot
  WHERE job_id = ? AND state = 'prepare' AND next_run_at > NOW(3) + INTERVAL 1 SECOND`;
const wakeSlots = `/* wakeJob */ UPDATE slot SET ${idleAssignments}
  WHERE job_id = ? AND state = 'idle'`;
const selectRequested = `/* readRequested */
  SELECT scheduled_for FROM pending WHERE job_id = ? AND request_id = ?
  UNION SELECT scheduled_for FROM slot WHERE job_id = ? AND request_id = ?
  UNION SELECT scheduled_for FROM run WHERE request_id = ? AND job_id = ?`;
