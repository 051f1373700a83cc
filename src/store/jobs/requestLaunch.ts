import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Trigger } from '../../domain/run.ts';
import type { ChannelConnection } from '../channel.ts';

/** A launch that somebody or something asks for, beside the ticks of the schedule. */
export interface LaunchAsked {
  readonly jobId: number;
  readonly requestId: string;
  readonly trigger: Extract<Trigger, 'manual' | 'retry' | 'backfill' | 'chain'>;
  readonly attempt?: number;
  /** Absent: now, by the database's clock. */
  readonly scheduledFor?: Date;
  /** Only for slots of this node name; absent: for every one that the job has slots of. */
  readonly slotNodeName?: string;
}

/** What comes with a request and is no part of the job's definition. */
export interface RequestDetails {
  readonly env: JobDefinition['env'];
  /** The only node that may take it; null: any that may run the job. */
  readonly wantedNode: string | null;
}

/**
 * Adds a pending launch for each node name that the job has slots of: '' for a job that any node
 * runs. The caller holds the stripes, and wakes the slots afterwards. Resolves to how many.
 */
export function insertPending(
  connection: ChannelConnection,
  asked: LaunchAsked,
  wantedNode: string | null = null,
): Promise<number> {
  const { jobId, requestId, trigger, attempt = 1, scheduledFor = null, slotNodeName } = asked;
  const parameters = [trigger, scheduledFor, attempt, requestId, jobId];
  if (slotNodeName !== undefined) {
    return connection.change(insertForSome, [...parameters, [slotNodeName]]);
  }
  // A slot of a node's own, of an every-node job, is not for what another node shall run.
  return wantedNode === null
    ? connection.change(insertForAll, parameters)
    : connection.change(insertForSome, [...parameters, ['', wantedNode]]);
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

const columns = `(job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT DISTINCT job_id, node_name, ?, IFNULL(CAST(? AS DATETIME(3)), NOW(3)), ?, ?, NOW(3)
  FROM slot WHERE job_id = ?`;
const insertForAll = `/* insertPending */ INSERT IGNORE INTO pending ${columns}`;
const insertForSome = `/* insertPending some */ INSERT IGNORE INTO pending ${columns}
  AND node_name IN (?)`;
const insertDetails = `/* keepDetails */ INSERT IGNORE INTO launch_request
    (job_id, request_id, env, wanted_node, asked_at)
  VALUES (?, ?, ?, ?, NOW(3))`;
