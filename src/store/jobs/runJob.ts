import type { Channel, Row } from '../channel.ts';
import { idleAssignments } from '../slots/idleAssignments.ts';
import { putBackSlots } from '../slots/releaseSlots.ts';
import { takeStripes } from '../takeStripes.ts';
import { transact } from '../transact.ts';
import { findJob, jobMissing } from './findJob.ts';
import { settleOutcome } from './settleOutcome.ts';

export interface RunRequested {
  readonly jobId: number;
  readonly requestId: string;
  /** False: this request id was taken before, and nothing was added. */
  readonly isNew: boolean;
}

/**
 * Asks for one launch now, of a paused job too. A launch of the job that is prepared for a later
 * tick is withdrawn, so that it holds nothing up; its tick is claimed again afterwards. Idempotent
 * by the request id: asked again it adds nothing, whether the launch is pending, held by a slot, or
 * history.
 * @throws OperatorError `job_missing`, and what `settleOutcome` throws.
 */
export async function runJob(
  channel: Channel,
  name: string,
  requestId: string,
): Promise<RunRequested> {
  const { jobId, stripes } = await findJob(channel, name);
  const outcome = await settleOutcome(
    () =>
      transact(channel, 'runJob', async (connection) => {
        await takeStripes(connection, stripes);
        const [job] = await connection.query<Row[]>(selectJob, [jobId]);
        if (job === undefined) return { refuse: 'job_missing' };
        const known = await connection.query<Row[]>(selectKnown, [
          jobId,
          requestId,
          jobId,
          requestId,
          requestId,
          jobId,
        ]);
        if (known.length > 0) return { commit: { jobId, requestId, isNew: false } };
        await connection.change(insertPending, [requestId, jobId]);
        // A launch that waits for a later tick gives way; its tick is the cursor again.
        const waiting = await connection.query<Row[]>(selectWaiting, [jobId]);
        await putBackSlots(
          connection,
          waiting.map((row) => row.slot_id as number),
        );
        await connection.change(wakeSlots, [jobId]);
        return { commit: { jobId, requestId, isNew: true } };
      }),
    { isIdempotent: true, look: `statecron runs --job ${name}` },
  );
  if (outcome.outcome === 'refused') throw jobMissing(name);
  return outcome.value;
}

const selectJob = '/* runJob job */ SELECT job_id FROM job WHERE job_id = ? AND removed_no = 0';
const selectKnown = `/* runJob known */
  SELECT 1 AS known FROM pending WHERE job_id = ? AND request_id = ?
  UNION ALL SELECT 1 FROM slot WHERE job_id = ? AND request_id = ?
  UNION ALL SELECT 1 FROM run WHERE request_id = ? AND job_id = ?`;
/** One for each node name that the job has slots of: '' for a job that any node runs. */
const insertPending = `/* runJob */ INSERT INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  SELECT DISTINCT job_id, node_name, 'manual', NOW(3), 1, ?, NOW(3) FROM slot WHERE job_id = ?`;
/** One whose tick is nearer than a second is left alone: its start may be under way. */
const selectWaiting = `/* runJob waiting */ SELECT slot_id FROM slot
  WHERE job_id = ? AND state = 'prepare' AND scheduled_for > NOW(3) + INTERVAL 1 SECOND`;
const wakeSlots = `/* runJob wake */ UPDATE slot SET ${idleAssignments}
  WHERE job_id = ? AND state = 'idle'`;
