import type { RunResult } from '../../domain/run/run.ts';
import type { Queryable } from '../connection/queryable.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

/** A row of the history, or a launch that executes: then it has no result. */
export type TimelineRun = ReturnType<typeof timelineRun>;

/** Since when a revision is in force. */
export type TimelineRevision = ReturnType<typeof timelineRevision>;

/** How many ticks of a part of the range ended alike. */
export type TimelineBin = ReturnType<typeof timelineBin>;

export interface TimelineRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The last rows of each job that ended in the range, and of what ended after it the first that had
 * begun in it. At most so many of each, and one more where there are more.
 */
export async function readRunsOf(
  database: Queryable,
  jobIds: readonly number[],
  { fromMs, untilMs }: TimelineRange,
  rowsMax: number,
): Promise<TimelineRun[]> {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const selects = jobIds.flatMap((jobId): Select[] => [
    [selectRuns, [jobId, from, until, rowsMax + 1]],
    [selectAfter, [jobId, until, afterMax, until]],
  ]);
  return rowsOfEach(database, timelineRun, selects);
}

/** What may have begun in the range and ended after it: runs side by side, a range of misses. */
const afterMax = 3;

/** The launches of the jobs that execute now. */
export function readExecuting(
  database: Queryable,
  jobIds: readonly number[],
): Promise<TimelineRun[]> {
  return database.rows(timelineRun, selectExecuting, [jobIds, executingMax]);
}

const executingMax = 1_000;

/** The same rows as numbers: of each job at most so many, the last of the range. */
export function readBinsOf(
  database: Queryable,
  jobIds: readonly number[],
  { fromMs, untilMs }: TimelineRange,
  { bins, rowsMax }: { readonly bins: number; readonly rowsMax: number },
): Promise<TimelineBin[]> {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const binUs = ((untilMs - fromMs) / bins) * 1_000;
  const selects = jobIds.map((jobId): Select => {
    return [selectBins, [from, binUs, bins - 1, jobId, from, until, rowsMax]];
  });
  return rowsOfEach(database, timelineBin, selects);
}

/** The revisions of each job that came into force in the range, of the last ones. */
export async function readRevisionsOf(
  database: Queryable,
  jobIds: readonly number[],
  { fromMs, untilMs }: TimelineRange,
) {
  const selects = jobIds.map((jobId): Select => [selectRevisions, [jobId, revisionsMax]]);
  const revisions = await rowsOfEach(database, timelineRevision, selects);
  return revisions.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
}

const revisionsMax = 20;

const timelineRun = rowOf({
  ...each(integer, 'jobId', 'ticks'),
  runId: nullable(integer),
  launchId: nullable(text),
  result: nullable(wordOf<RunResult>()),
  scheduledForMs: instantMs,
  ...each(nullable(instantMs), 'scheduledUntilMs', 'startedMs', 'endedMs'),
});
const runColumns = `job_id, run_id, launch_id, result, ticks, scheduled_for, scheduled_until,
    started_at AS started, ended_at AS ended`;
const selectRuns = `/* readRunsOf */ SELECT ${runColumns} FROM run FORCE INDEX (run_by_job)
  WHERE job_id = ? AND ended_at >= ? AND ended_at < ?
  ORDER BY ended_at DESC, run_id DESC LIMIT ?`;
const selectAfter = `/* readRunsOf after */ SELECT * FROM (/* after */ SELECT ${runColumns}
    FROM run FORCE INDEX (run_by_job) WHERE job_id = ? AND ended_at >= ?
    ORDER BY ended_at, run_id LIMIT ?) AS later
  WHERE IFNULL(started, scheduled_for) < ?`;
const selectExecuting = `/* readExecuting */ SELECT job_id, NULL AS run_id, launch_id,
    NULL AS result, 1 AS ticks, scheduled_for, NULL AS scheduled_until, started_at AS started,
    NULL AS ended
  FROM slot FORCE INDEX (slot_by_job) WHERE job_id IN (?) AND state = 'executing' LIMIT ?`;

const timelineBin = rowOf({
  ...each(integer, 'jobId', 'bin', 'rows', 'ticks'),
  result: wordOf<RunResult>(),
  firstEndedMs: instantMs,
});
/** A row stands where it began. */
const selectBins = `/* readBinsOf */ SELECT job_id, result, COUNT(*) AS 'rows', SUM(ticks) AS ticks,
    MIN(ended_at) AS first_ended, GREATEST(0, LEAST(FLOOR(TIMESTAMPDIFF(MICROSECOND, ?,
      IFNULL(started_at, scheduled_for)) / ?), ?)) AS bin
  FROM (/* rows */ SELECT job_id, result, ticks, started_at, scheduled_for, ended_at
    FROM run FORCE INDEX (run_by_job) WHERE job_id = ? AND ended_at >= ? AND ended_at < ?
    ORDER BY ended_at DESC, run_id DESC LIMIT ?) AS last_rows
  GROUP BY job_id, bin, result`;

const timelineRevision = rowOf({
  ...each(integer, 'jobId', 'revision'),
  isPaused: flag,
  atMs: instantMs,
});
const selectRevisions = `/* readRevisionsOf */ SELECT job_id, revision, paused AS is_paused,
    in_force_from AS at
  FROM job_revision WHERE job_id = ? ORDER BY revision DESC LIMIT ?`;
