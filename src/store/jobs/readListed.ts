import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { RunResult } from '../../domain/run.ts';
import type { Channel, Row } from '../channel.ts';
import { shownDefinition } from './shownDefinition.ts';

/** A job as a list shows it. */
export interface JobListed {
  readonly jobId: number;
  readonly name: string;
  readonly isPaused: boolean;
  readonly revision: number;
  readonly definition: JobDefinition;
  /** When it is due next, epoch milliseconds, or null. */
  readonly nextRunMs: number | null;
  /** How many of its slots are claimed or executing. */
  readonly prepared: number;
  readonly executing: number;
  readonly last: { readonly result: RunResult; readonly endedMs: number } | null;
}

/** These jobs, in this order; one that was removed meanwhile is left out. */
export async function readListed(
  channel: Channel,
  jobIds: readonly number[],
): Promise<JobListed[]> {
  if (jobIds.length === 0) return [];
  const rows = await channel.query<Row[]>(selectJobs, [jobIds, jobIds]);
  const jobs = new Map(rows.map((row) => [row.job_id as number, jobOf(row)]));
  return jobIds.flatMap((jobId) => jobs.get(jobId) ?? []);
}

function jobOf(row: Row): JobListed {
  return {
    jobId: row.job_id as number,
    name: row.name as string,
    isPaused: row.paused === 1,
    revision: row.revision as number,
    definition: shownDefinition(row.definition as string),
    nextRunMs: (row.next_run_at as Date | null)?.getTime() ?? null,
    prepared: Number(row.prepared ?? 0),
    executing: Number(row.executing ?? 0),
    last:
      row.last_result === null
        ? null
        : {
            result: row.last_result as RunResult,
            endedMs: (row.last_ended_at as Date).getTime(),
          },
  };
}

const lastRun = `FROM run WHERE run.job_id = job.job_id AND run.result NOT IN ('skipped', 'missed')
      ORDER BY run.ended_at DESC, run.run_id DESC LIMIT 1`;
/** Of each job's slots once, however much is told of them. */
const slotsOfJobs = `/* readListed slots */ SELECT job_id,
      MIN(CASE state WHEN 'idle' THEN next_run_at WHEN 'prepare' THEN scheduled_for END)
        AS next_run_at,
      SUM(state = 'prepare') AS prepared, SUM(state = 'executing') AS executing
    FROM slot WHERE job_id IN (?) GROUP BY job_id`;
const selectJobs = `/* readListed */ SELECT job.job_id, job.name, job.paused, job.revision,
    job_revision.definition, slots.next_run_at, slots.prepared, slots.executing,
    (SELECT run.result ${lastRun}) AS last_result,
    (SELECT run.ended_at ${lastRun}) AS last_ended_at
  FROM job JOIN job_revision
      ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
    LEFT JOIN (${slotsOfJobs}) AS slots ON slots.job_id = job.job_id
  WHERE job.removed_no = 0 AND job.job_id IN (?)`;
