import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import type { RunResult } from '../../domain/run/run.ts';
import { each, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { pauseColumns, selectPause } from './findJob.ts';
import { shownDefinition } from './shownDefinition.ts';

/** A job as a list shows it. */
export interface JobListed
  extends Omit<JobRow, 'definition' | 'definitionBytes' | 'slots' | 'lastRun'> {
  readonly definition: JobDefinition;
  /** When it is due next, epoch milliseconds, or null. */
  readonly nextRunMs: number | null;
  /** How many of its slots are claimed or executing. */
  readonly prepared: number;
  readonly executing: number;
  readonly last: { readonly result: RunResult; readonly endedMs: number } | null;
}

export function listedJob(row: JobRow, definition: JobDefinition): JobListed {
  const { definitionBytes, lastRun, slots, ...job } = row;
  const [prepared, executing, ...next] = slots.split(' ');
  const [result, ...ended] = lastRun?.split(' ') ?? [];
  const endedMs = readInstant(ended);
  const counts = { prepared: Number(prepared), executing: Number(executing) };
  const last = endedMs === null ? null : { result: result as RunResult, endedMs };
  return { ...job, definition, nextRunMs: readInstant(next), ...counts, last };
}

/** A job as `apply` compares it with what a file wants. */
export function presentJob(
  job: Pick<JobListed, 'definition' | 'isPaused' | 'resumeAtMs'>,
): PresentJob {
  return { definition: job.definition, pause: job.isPaused ? { untilMs: job.resumeAtMs } : null };
}

export const jobRow = rowOf({
  ...each(integer, 'jobId', 'revision', 'definitionBytes'),
  ...each(text, 'name', 'slots'),
  lastRun: nullable(text),
  inForceFromMs: instantMs,
  ...pauseColumns,
  /** Null: it is too large to be read before it is known which ones fit. */
  definition: nullable(shownDefinition),
});
export type JobRow = ReturnType<typeof jobRow>;

/**
 * The columns of a list, of a `job` and its revision. Of the slots and of the last run there is
 * one lookup for each job, whose values come as one text: beside the statement that finds the jobs,
 * with a subquery for each column, a page cost the database nearly twice as much.
 */
export const listedColumns = `job.job_id, job.name, job.revision, ${selectPause},
    job_revision.in_force_from,
    (SELECT CONCAT_WS(' ', COUNT(IF(slot.state = 'prepare', 1, NULL)),
        COUNT(IF(slot.state = 'executing', 1, NULL)), MIN(CASE slot.state
          WHEN 'idle' THEN slot.next_run_at WHEN 'prepare' THEN slot.scheduled_for END))
      FROM slot WHERE slot.job_id = job.job_id) AS slots,
    (SELECT CONCAT_WS(' ', run.result, run.ended_at) FROM run
      WHERE run.job_id = job.job_id AND run.result NOT IN ('skipped', 'missed')
      ORDER BY run.ended_at DESC, run.run_id DESC LIMIT 1) AS last_run`;

/** A DATETIME(3) in UTC as the server writes it. */
function readInstant([day, time]: readonly string[]): number | null {
  return day === undefined || time === undefined ? null : Date.parse(`${day}T${time}Z`);
}
