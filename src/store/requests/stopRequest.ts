import { reasons } from '../../domain/reasons/reasons.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { findJob } from '../jobs/findJob.ts';
import { integer, only } from '../rows/row.ts';
import { wakeJob } from './wakeJob.ts';

/**
 * Takes back every launch that waits for its turn under a request: each gets its history row, and
 * none is ever launched. Resolves to how many; asking again finds none.
 * @throws what `settleOutcome` throws.
 */
export async function stopRequest(
  channel: Channel,
  job: string,
  requestId: string,
): Promise<number> {
  const { jobId, stripes } = await findJob(channel, job);
  return changeOnce<number>(channel, {
    ...{ name: 'stopRequest', lock: stripes, isIdempotent: true },
    work: async (connection) => ({ commit: await withdraw(connection, jobId, requestId) }),
    look: `statecron run show ${requestId}`,
    answers: { action, target: requestId },
  });
}

const action = 'request.stop';

async function withdraw(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
): Promise<number> {
  const waiting = await connection.rows(only(integer), selectWaiting, [jobId, requestId]);
  if (waiting.length === 0) return 0;
  await connection.change(recordStopped, [reasons.stoppedByOperator, jobId, requestId]);
  const affected = await connection.change(deleteWaiting, [jobId, requestId]);
  if (affected !== waiting.length) throw new Error('stopRequest: a row changed under its lock');
  await wakeJob(connection, jobId);
  const told = { before: null, after: { withdrawn: affected } };
  await auditJob(connection, jobId, { action, target: requestId, ...told });
  return affected;
}

const selectWaiting = `/* stopRequest read */ SELECT pending_id FROM pending
  WHERE job_id = ? AND request_id = ?`;
const recordStopped = `/* stopRequest run */ INSERT INTO run (job_id, revision, node_name,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  SELECT pending.job_id, job.revision, pending.node_name, pending.triggered_by, pending.request_id,
    pending.attempt, pending.scheduled_for, NOW(3), 'stopped', ?
  FROM pending JOIN job ON job.job_id = pending.job_id
  WHERE pending.job_id = ? AND pending.request_id = ?`;
const deleteWaiting = `/* stopRequest */ DELETE FROM pending
  WHERE job_id = ? AND request_id = ?`;
