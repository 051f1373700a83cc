import { isTickOnly, type RunResult } from '../../domain/run/run.ts';
import type { Queryable } from '../connection/queryable.ts';

/** What `job.last_failure` says of a job whose last run ended so. */
export function failureOf(result: RunResult): string {
  return result === 'succeeded' ? '' : result;
}

/**
 * Writes how the last run of each of the jobs ended, as the history has it. In a transaction it
 * comes after the rows of runs, and its locks last.
 */
export async function keepLastFailure(
  database: Queryable,
  jobIds: readonly number[],
): Promise<void> {
  if (jobIds.length > 0) await database.change(keepFailures, [jobIds]);
}

/** The last run of a job, and no tick that nothing was started for. */
export const lastFailure = `IFNULL((SELECT NULLIF(run.result, 'succeeded')
    FROM run FORCE INDEX (run_by_job)
    WHERE run.job_id = job.job_id AND run.result NOT IN ('skipped', 'missed')
    ORDER BY run.job_id DESC, run.ended_at DESC, run.run_id DESC LIMIT 1), '')`;
const keepFailures = `/* keepLastFailure */ UPDATE job SET last_failure = ${lastFailure}
  WHERE job_id IN (?)`;

/** The same without a lock, unless a run that ended meanwhile has changed what was read. */
export async function mendLastFailure(
  database: Queryable,
  jobId: number,
  read: string | null,
): Promise<void> {
  await database.change(mendFailure, [jobId, read]);
}

const mendFailure = `${keepFailures} AND last_failure <=> ?`;

/** The same of launches that end now, by the slots that hold them. */
export async function keepFailureOfSlots(
  database: Queryable,
  slotIds: readonly number[],
  result: RunResult,
): Promise<void> {
  if (!isTickOnly(result)) await database.change(keepOfSlots, [slotIds, failureOf(result)]);
}

const keepOfSlots = `/* keepFailureOfSlots */
  UPDATE (SELECT DISTINCT slot.job_id FROM slot WHERE slot.slot_id IN (?)) AS ended
    STRAIGHT_JOIN job FORCE INDEX (PRIMARY) ON job.job_id = ended.job_id
  SET job.last_failure = ?`;
