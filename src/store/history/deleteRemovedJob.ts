import type { Channel } from '../connection/channel.ts';
import { flag, integer, nullable, rowOf } from '../rows/row.ts';
import { transactOrThrow } from '../transaction/transact.ts';

/**
 * Deletes a removed job that has no history any more, with its slots and revisions. Nothing
 * starts of a removed job, so that what is idle stays so. One with history loses only the slots
 * that its last launches left behind. What its row says of the history that was cleaned away is
 * noted for all jobs. Resolves to whether the job went.
 */
export function deleteRemovedJob(channel: Channel, jobId: number, days: number): Promise<boolean> {
  return transactOrThrow(channel, 'deleteRemovedJob', async (connection) => {
    await connection.change(deleteSlots, [jobId]);
    const [job] = await connection.rows(removedJob, selectJob, [days, jobId]);
    if (job?.isOld !== true || job.isNeeded) return false;
    await connection.change(deleteRevisions, [jobId]);
    const deletedUntil = job.runsDeletedUntil;
    if (deletedUntil > 0) await connection.change(noteDeleted, [deletedUntil, deletedUntil]);
    await connection.change(deleteJob, [jobId]);
    return true;
  });
}

const deleteSlots = `/* deleteRemovedJob slots */ DELETE FROM slot
  WHERE job_id = ? AND state = 'idle'`;
const removedJob = rowOf({ runsDeletedUntil: integer, isOld: nullable(flag), isNeeded: flag });
const selectJob = `/* deleteRemovedJob read */ SELECT runs_deleted_until,
    removed_at < NOW(3) - INTERVAL ? DAY AS is_old,
    EXISTS (SELECT 1 FROM run WHERE run.job_id = job.job_id)
      OR EXISTS (SELECT 1 FROM slot WHERE slot.job_id = job.job_id)
      OR EXISTS (SELECT 1 FROM pending WHERE pending.job_id = job.job_id) AS is_needed
  FROM job WHERE job_id = ? AND removed_no <> 0`;
const deleteRevisions =
  '/* deleteRemovedJob revisions */ DELETE FROM job_revision WHERE job_id = ?';
const noteDeleted = `/* deleteRemovedJob note */ INSERT INTO note (note_name, note_value)
  VALUES ('runs_deleted_until', ?)
  ON DUPLICATE KEY UPDATE note_value = GREATEST(CAST(note_value AS UNSIGNED), ?)`;
const deleteJob = '/* deleteRemovedJob */ DELETE FROM job WHERE job_id = ? AND removed_no <> 0';
