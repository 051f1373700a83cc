import type { RunResult } from '../../domain/run/run.ts';
import type { Queryable } from '../connection/queryable.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { instantMs, integer, nullable, rowOf, wordOf } from '../rows/row.ts';

/** What a strip of a job's history shows of one row. */
export type RecentRun = Omit<ReturnType<typeof recentRun>, 'jobId'>;

/** The last rows of the history of each of the jobs, the newest first; at most so many of each. */
export function readRecentRuns(
  database: Queryable,
  jobIds: readonly number[],
  runsMax: number,
): Promise<Map<number, RecentRun[]>> {
  const selects = jobIds.map((jobId): Select => [selectRecent, [jobId, runsMax]]);
  return readSelects(database, selects);
}

/**
 * The last run of each of the jobs that ended no later than a second after the given instant, if
 * any; ticks that nothing was started for aside.
 */
export async function readLastRuns(
  database: Queryable,
  jobs: readonly { readonly jobId: number; readonly endedMs: number }[],
): Promise<Map<number, RecentRun[]>> {
  const selects = jobs.map(
    ({ jobId, endedMs }): Select => [selectLast, [jobId, new Date(endedMs + 1_000)]],
  );
  return readSelects(database, selects);
}

/** How long the run took; null: nothing was started. */
export function durationOf({ endedMs, startedMs }: RecentRun): number | null {
  return startedMs === null ? null : Math.max(0, endedMs - startedMs);
}

/** Each job's rows, the newest first. */
async function readSelects(database: Queryable, selects: readonly Select[]) {
  const found = new Map<number, RecentRun[]>();
  for (const { jobId, ...run } of await rowsOfEach(database, recentRun, selects)) {
    const runs = found.get(jobId);
    if (runs === undefined) found.set(jobId, [run]);
    else runs.push(run);
  }
  for (const runs of found.values()) {
    runs.sort((a, b) => b.endedMs - a.endedMs || b.runId - a.runId);
  }
  return found;
}

const recentRun = rowOf({
  jobId: integer,
  runId: integer,
  result: wordOf<RunResult>(),
  startedMs: nullable(instantMs),
  endedMs: instantMs,
});
const columns = 'job_id, run_id, result, started_at AS started, ended_at AS ended';
const newestFirst = 'ORDER BY ended_at DESC, run_id DESC';
const selectRecent = `/* readRecentRuns */ SELECT ${columns}
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? ${newestFirst} LIMIT ?`;
const selectLast = `/* readLastRuns */ SELECT ${columns}
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? AND ended_at <= ?
    AND result NOT IN ('skipped', 'missed') ${newestFirst} LIMIT 1`;
