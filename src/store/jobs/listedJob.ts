import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { RunResult } from '../../domain/run.ts';
import type { PresentJob } from '../../domain/words/planApply.ts';
import type { Row } from '../channel.ts';
import { pauseOf, resumeColumn } from './findJob.ts';
import { shownDefinition } from './shownDefinition.ts';

/** A job as a list shows it. */
export interface JobListed {
  readonly jobId: number;
  readonly name: string;
  readonly isPaused: boolean;
  /** When its pause ends by itself; null: it does not. */
  readonly resumeAtMs: number | null;
  readonly revision: number;
  readonly definition: JobDefinition;
  /** When it is due next, epoch milliseconds, or null. */
  readonly nextRunMs: number | null;
  /** How many of its slots are claimed or executing. */
  readonly prepared: number;
  readonly executing: number;
  readonly last: { readonly result: RunResult; readonly endedMs: number } | null;
}

/** The job of a row of `listedColumns`, by its definition as it is stored. */
export function listedJob(row: Row, definition: string): JobListed {
  const [prepared, executing, ...next] = (row.slots as string).split(' ');
  const [result, ...ended] = (row.last_run as string | null)?.split(' ') ?? [];
  const endedMs = readInstant(ended);
  return {
    jobId: row.job_id as number,
    name: row.name as string,
    ...pauseOf(row),
    revision: row.revision as number,
    definition: shownDefinition(definition),
    nextRunMs: readInstant(next),
    prepared: Number(prepared),
    executing: Number(executing),
    last: endedMs === null ? null : { result: result as RunResult, endedMs },
  };
}

/** A job as `apply` compares it with what a file wants. */
export function presentJob({
  definition,
  isPaused,
  resumeAtMs,
}: Pick<JobListed, 'definition' | 'isPaused' | 'resumeAtMs'>): PresentJob {
  return { definition, pause: isPaused ? { untilMs: resumeAtMs } : null };
}

/**
 * What a list tells of a `job` and its `job_revision`. Of the slots and of the last run there is
 * one lookup for each job, whose values come as one text: beside the statement that finds the jobs,
 * with a subquery for each column, a page cost the database nearly twice as much.
 */
export const listedColumns = `job.job_id, job.name, job.paused, job.revision, ${resumeColumn},
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
