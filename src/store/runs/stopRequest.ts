import { reasons } from '../../domain/policies/reasons.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection, Row } from '../channel.ts';
import { findJob } from '../jobs/findJob.ts';
import { settleOutcome } from '../jobs/settleOutcome.ts';
import { wakeJob } from '../jobs/wakeJob.ts';
import { takeStripes } from '../takeStripes.ts';
import { transact } from '../transact.ts';

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
  const outcome = await settleOutcome(
    () =>
      transact<number>(channel, 'stopRequest', async (connection) => {
        await takeStripes(connection, stripes);
        return { commit: await withdraw(connection, jobId, requestId) };
      }),
    { isIdempotent: true, look: `statecron run show ${requestId}` },
  );
  if (outcome.outcome === 'refused') throw new Error('stopRequest refuses nothing');
  return outcome.value;
}

async function withdraw(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
): Promise<number> {
  const rows = await connection.query<Row[]>(selectWaiting, [jobId, requestId]);
  if (rows.length === 0) return 0;
  await connection.change(recordStopped, [reasons.stoppedByOperator, jobId, requestId]);
  const affected = await connection.change(deleteWaiting, [jobId, requestId]);
  if (affected !== rows.length) throw new Error('stopRequest: a row changed under its lock');
  await wakeJob(connection, jobId);
  const told = { before: null, after: { withdrawn: affected } };
  await auditJob(connection, jobId, { action: 'request.stop', target: requestId, ...told });
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
