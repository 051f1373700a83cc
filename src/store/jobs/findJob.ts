import { OperatorError } from '../../domain/errors.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { stripeOfJob } from '../../domain/stripes.ts';
import type { Channel, ChannelConnection, Row } from '../channel.ts';
import { flag, instantMs, integer, jsonOf, nullable, rowOf, text } from '../row.ts';

/** A job that is not removed, and the locks of its slots. */
interface JobFound {
  readonly jobId: number;
  readonly name: string;
  readonly stripes: readonly number[];
}

/** A job as a transaction that holds its stripes sees it. */
export interface JobInForce {
  readonly jobId: number;
  readonly name: string;
  readonly revision: number;
  readonly isPaused: boolean;
  readonly definition: JobDefinition;
  readonly inForceFromMs: number;
  /** When its pause ends by itself; null: it does not. */
  readonly resumeAtMs: number | null;
  /** The database's clock, read under the lock. */
  readonly nowMs: number;
}

/**
 * Finds a job by its name with an unlocked look that tells which locks to take; nothing else of it
 * is used. A job's slots all have one stripe; were that to change, all of them are taken.
 * @throws OperatorError `job_missing`.
 */
export async function findJob(channel: Channel, name: string): Promise<JobFound> {
  const rows = await channel.rows(jobStripe, selectJob, [name]);
  const [first] = rows;
  if (first === undefined) throw jobMissing(name);
  const { jobId } = first;
  const stripes = new Set([stripeOfJob(jobId)]);
  for (const { stripe } of rows) if (stripe !== null) stripes.add(stripe);
  return { jobId, name, stripes: [...stripes] };
}

/** Reads the job under its stripes; null when it was removed meanwhile. */
export async function readJobInForce(
  connection: ChannelConnection,
  jobId: number,
): Promise<JobInForce | null> {
  const [row] = await connection.rows(jobInForce, selectInForce, [jobId]);
  return row === undefined ? null : { jobId, ...row };
}

/** Of a row with `job.paused` and `resumeColumn`. */
export function pauseOf(row: Row): Pick<JobInForce, 'isPaused' | 'resumeAtMs'> {
  const resumeAtMs = (row.resume_at as Date | null)?.getTime() ?? null;
  return { isPaused: row.paused === 1, resumeAtMs };
}

export function jobMissing(name: string): OperatorError {
  return new OperatorError({
    code: 'job_missing',
    message: `There is no job ${JSON.stringify(name)}.`,
    hint: 'See the jobs that there are: statecron job list',
  });
}

const jobStripe = rowOf({ jobId: integer, stripe: nullable(integer) });
const selectJob = `/* findJob */ SELECT DISTINCT job.job_id, slot.stripe
  FROM job LEFT JOIN slot ON slot.job_id = job.job_id
  WHERE job.name = ? AND job.removed_no = 0`;
/** When the pause in force ends by itself: one that was made for an earlier revision does not. */
export const resumeColumn =
  'IF(job.paused = 1 AND job.resume_revision = job.revision, job.resume_at, NULL) AS resume_at';

const jobInForce = rowOf({
  name: text,
  revision: integer,
  isPaused: flag,
  definition: jsonOf<JobDefinition>(),
  inForceFromMs: instantMs,
  resumeAtMs: nullable(instantMs),
  nowMs: instantMs,
});
const selectInForce = `/* readJobInForce */ SELECT job.name, job.revision, job.paused AS is_paused,
    job_revision.definition, job_revision.in_force_from, NOW(3) AS now,
    ${resumeColumn}
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.job_id = ? AND job.removed_no = 0`;
