import { OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import {
  each,
  flag,
  instantMs,
  integer,
  jsonOf,
  nullable,
  rowOf,
  text,
  wordOf,
} from '../rows/row.ts';

/** A job that is not removed, and the locks of its slots. */
interface JobFound {
  readonly jobId: number;
  readonly name: string;
  readonly stripes: readonly number[];
}

/** A job as a transaction that holds its stripes sees it. */
export type JobInForce = ReturnType<typeof jobInForce>;

/**
 * Finds a job by its name with an unlocked look for the locks to take; nothing else of it is used.
 * A job's slots all have one stripe; were that to change, all of them are taken.
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
  return (await readJobsInForce(connection, [jobId]))[0] ?? null;
}

/** The same of several jobs, without those that were removed. */
export function readJobsInForce(
  connection: ChannelConnection,
  jobIds: readonly number[],
): Promise<JobInForce[]> {
  return connection.rows(jobInForce, selectInForce, [jobIds]);
}

export function jobMissing(name: string): OperatorError {
  const message = `There is no job ${JSON.stringify(name)}.`;
  const hint = 'See the jobs that there are: statecron job list';
  return new OperatorError({ code: 'job_missing', message, hint, missing: name });
}

const jobStripe = rowOf({ jobId: integer, stripe: nullable(integer) });
const selectJob = `/* findJob */ SELECT DISTINCT job.job_id, slot.stripe
  FROM job LEFT JOIN slot ON slot.job_id = job.job_id
  WHERE job.name = ? AND job.removed_no = 0`;

export const pauseColumns = {
  isPaused: flag,
  /** When its pause ends by itself; null: it does not. */
  resumeAtMs: nullable(instantMs),
};
/** A pause that was made for an earlier revision does not end by itself. */
export const selectPause = `job.paused AS is_paused,
    IF(job.paused = 1 AND job.resume_revision = job.revision, job.resume_at, NULL) AS resume_at`;

const jobInForce = rowOf({
  ...each(integer, 'jobId', 'targetId', 'revision'),
  name: text,
  definition: jsonOf<JobDefinition>(),
  inForceFromMs: instantMs,
  ...pauseColumns,
  /** Why it is paused, where that was not one operator's change of this job alone. */
  reason: nullable(wordOf<Reason>()),
  /** The database's clock, read under the lock. */
  nowMs: instantMs,
});
const selectInForce = `/* readJobInForce */ SELECT job.job_id, job.name, job.target_id,
    job.revision, ${selectPause}, job_revision.definition, job_revision.in_force_from,
    job_revision.reason, NOW(3) AS now
  FROM ${joinedRevision}
  WHERE job.job_id IN (?) AND job.removed_no = 0`;
