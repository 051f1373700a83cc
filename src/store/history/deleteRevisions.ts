import type { Channel } from '../connection/channel.ts';
import { integer, nullable, only } from '../rows/row.ts';

const rowsMax = 500;

/**
 * Takes the first revisions of a job away that nothing needs any more: they were out of force
 * before the history begins, and no row of it, and no slot, names them or an earlier one. So those
 * that stay are whole from the oldest on. Slots are read first: what ends meanwhile is then in a
 * row.
 */
export async function deleteRevisions(channel: Channel, jobId: number): Promise<number> {
  const read = async (sql: string): Promise<number | null> =>
    (await channel.rows(only(nullable(integer)), sql, [jobId]))[0] ?? null;
  const last = await read(selectOld);
  if (last === null) return 0;
  const ofSlots = (await read(selectOfSlots)) ?? Infinity;
  const ofRuns = (await read(selectOfRuns)) ?? Infinity;
  return channel.change(deleteOld, [jobId, Math.min(last + 1, ofSlots, ofRuns), rowsMax]);
}

const selectOld = `/* deleteRevisions */ SELECT MAX(job_revision.revision) AS last_revision
  FROM job JOIN job_revision ON job_revision.job_id = job.job_id
    AND job_revision.revision < job.revision
  WHERE job.job_id = ? AND job_revision.in_force_until <= job.history_from`;
const selectOfSlots = `/* deleteRevisions slots */ SELECT MIN(revision) AS first_revision FROM slot
  WHERE job_id = ?`;
const selectOfRuns = `/* deleteRevisions runs */ SELECT MIN(revision) AS first_revision
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ?`;
const deleteOld = `/* deleteRevisions delete */ DELETE FROM job_revision
  WHERE job_id = ? AND revision < ? ORDER BY revision LIMIT ?`;
