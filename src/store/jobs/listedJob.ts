import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { nextOfBusy } from '../../domain/policies/nextOfBusy.ts';
import { type JobState, jobState } from '../../domain/run/jobState.ts';
import type { RunResult } from '../../domain/run/run.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import { each, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import type { RecentRun } from '../runs/recentRuns.ts';
import { isThere, nextOfSlots } from '../slots/nextOfSlots.ts';
import { pauseColumns, selectPause } from './findJob.ts';
import { shownDefinition } from './shownDefinition.ts';

/** A job as a list shows it. */
export interface JobListed extends Pick<JobRow, ShownColumns>, JobExtras {
  readonly state: JobState;
  /** When it is due next, epoch milliseconds, or null. */
  readonly nextRunMs: number | null;
  /** How many of its slots are claimed or executing. */
  readonly prepared: number;
  readonly executing: number;
}

type ShownColumns = 'jobId' | 'name' | 'revision' | 'isPaused' | 'resumeAtMs' | 'inForceFromMs';

/** What a list shows of a job that its row does not have. */
interface JobExtras {
  readonly definition: JobDefinition;
  /** Its last run; ticks that nothing was started for aside. */
  readonly last: RecentRun | null;
  /** The last rows of its history, newest first; absent: they were not asked for. */
  readonly recent?: readonly RecentRun[];
}

/** @param isRunnable whether a live node may run it */
export function listedJob(row: JobRow, extras: JobExtras, isRunnable: boolean): JobListed {
  const { jobId, name, revision, isPaused, resumeAtMs, inForceFromMs } = row;
  const { due, prepared, executing } = slotsOf(row);
  const isObserved = extras.definition.observed === true;
  const state = jobState({ executing, due, isPaused, isObserved, isRunnable });
  const shown = { jobId, name, revision, isPaused, resumeAtMs, inForceFromMs };
  const nextRunMs = nextOf(row, extras.definition);
  return { ...shown, ...extras, state, nextRunMs, prepared, executing };
}

/** A tick that is over is that of a slot which executes, unless another one is due. */
function nextOf(row: JobRow, definition: JobDefinition): number | null {
  const { due, nextRunMs, nowMs, prepared } = slotsOf(row);
  const isOver = nextRunMs !== null && nextRunMs <= nowMs;
  if (!isOver || due > 0 || prepared > 0) return nextRunMs;
  const ticks = ticksOfRevision(definition, row.inForceFromMs);
  return nextOfBusy({ overlap: definition.overlap, ticks }, nextRunMs, nowMs);
}

/** What the slots of a job come to. */
export function slotsOf({ slots }: Pick<JobRow, 'slots'>) {
  const [prepared, executing, due, next, ended, now] = slots.split('|');
  return {
    ...{ prepared: Number(prepared), executing: Number(executing), due: Number(due) },
    nextRunMs: readInstant(next),
    /** When the last launch ended that executed. */
    endedMs: readInstant(ended),
    /** The database's clock. */
    nowMs: readInstant(now) ?? Number.NaN,
  };
}

/** The last row of a job's history, a run or not. */
export function lastRowOf({ lastRow }: Pick<JobRow, 'lastRow'>): RecentRun | null {
  const [runId, result, ended, started] = lastRow?.split('|') ?? [];
  const endedMs = readInstant(ended);
  if (endedMs === null) return null;
  const run = { runId: Number(runId), result: result as RunResult };
  return { ...run, startedMs: readInstant(started), endedMs };
}

/** A job as `apply` compares it with what a file wants. */
export function presentJob(
  job: Pick<JobListed, 'definition' | 'isPaused' | 'resumeAtMs'>,
): PresentJob {
  return { definition: job.definition, pause: job.isPaused ? { untilMs: job.resumeAtMs } : null };
}

export const jobRow = rowOf({
  ...each(integer, 'jobId', 'revision', 'targetId', 'definitionBytes'),
  ...each(text, 'name', 'slots'),
  lastRow: nullable(text),
  inForceFromMs: instantMs,
  ...pauseColumns,
  /** Null: it is too large to be read before it is known which ones fit. */
  definition: nullable(shownDefinition),
});
export type JobRow = ReturnType<typeof jobRow>;

const nextOfSlot = `CASE slot.state WHEN 'idle' THEN slot.next_run_at
          WHEN 'prepare' THEN slot.scheduled_for
          WHEN 'executing' THEN slot.cursor_at END`;

/**
 * The columns of a list, of a `job` and its revision. Of the slots and of the history there is
 * one lookup for each job, whose values come as one text: beside the statement that finds the jobs,
 * with a subquery for each column, a page cost the database nearly twice as much.
 */
export const listedColumns = `job.job_id, job.name, job.revision, job.target_id, ${selectPause},
    job_revision.in_force_from,
    (SELECT CONCAT(COUNT(IF(slot.state = 'prepare', 1, NULL)), '|',
        COUNT(IF(slot.state = 'executing', 1, NULL)), '|',
        COUNT(IF(slot.state <> 'executing' AND slot.next_run_at <= NOW(3) AND ${isThere}, 1,
          NULL)), '|',
        IFNULL(${nextOfSlots(nextOfSlot)}, ''), '|',
        IFNULL(MAX(slot.ended_at), ''), '|', NOW(3))
      FROM slot WHERE slot.job_id = job.job_id) AS slots,
    (SELECT CONCAT_WS('|', run.run_id, run.result, run.ended_at, run.started_at)
      FROM run FORCE INDEX (run_by_job) WHERE run.job_id = job.job_id
      ORDER BY run.job_id DESC, run.ended_at DESC, run.run_id DESC LIMIT 1) AS last_row`;

/** A DATETIME(3) in UTC as the server writes it. */
function readInstant(written: string | undefined): number | null {
  return written ? Date.parse(`${written.replace(' ', 'T')}Z`) : null;
}
