import {
  cleanableUntil,
  comesBefore,
  type HistoryKeep,
  keepOfJob,
  keptSinceMs,
  type RunPlace,
} from '../../domain/historyKeep.ts';
import type { Channel, Row } from '../channel.ts';
import { deleteRemovedJob } from './deleteRemovedJob.ts';
import { deleteRevisions } from './deleteRevisions.ts';
import { deleteRuns } from './deleteRuns.ts';

/** How many jobs are looked at in one step, and how many rows go in it. */
const jobsMax = 50;
const rowsMax = 500;

/**
 * Cleans what it finds in the next jobs. Resolves to the last job that is done with; null: all are.
 */
export async function cleanJobs(
  channel: Channel,
  afterJobId: number,
  keep: HistoryKeep,
): Promise<{ readonly afterJobId: number | null; readonly rows: number }> {
  const jobs = await channel.query<Row[]>(selectJobs, [keep.runs, afterJobId, jobsMax]);
  let done = afterJobId;
  let rows = 0;
  for (const job of jobs) {
    const wanted = rowsMax - rows;
    const deleted = mayHaveSurplus(job, keep) ? await cleanJob(channel, job, keep, wanted) : 0;
    rows += deleted;
    if (deleted === wanted) return { afterJobId: done, rows };
    done = job.job_id as number;
  }
  return { afterJobId: jobs.length < jobsMax ? null : done, rows };
}

/** Most jobs keep what the cluster keeps, and have less: nothing more is asked about them. */
function mayHaveSurplus(job: Row, keep: HistoryKeep): boolean {
  if (job.is_removed === 1 || job.keep_runs !== null || job.surplus_at !== null) return true;
  const { days } = keepOf(job, keep);
  const oldestMs = (job.oldest_at as Date | null)?.getTime() ?? Number.POSITIVE_INFINITY;
  return oldestMs < keptSinceMs(days, nowOf(job));
}

async function cleanJob(
  channel: Channel,
  job: Row,
  keep: HistoryKeep,
  wanted: number,
): Promise<number> {
  const jobId = job.job_id as number;
  const isRemoved = job.is_removed === 1;
  const { days, runs } = keepOf(job, keep);
  const [surplus] = await channel.query<Row[]>(selectSurplus, [jobId, runs]);
  const until = notSwept(job, cleanableUntil(days, placeOf(surplus), nowOf(job)));
  const oldest = { endedMs: (job.oldest_at as Date | null)?.getTime() ?? Infinity, runId: 0 };
  let deleted = 0;
  if (comesBefore(oldest, until)) {
    const kept = isRemoved ? [] : await channel.query<Row[]>(selectLast, [jobId, jobId]);
    const keptIds = kept.map((row) => row.run_id as number);
    deleted = await deleteRuns(channel, jobId, { until, keptIds, rowsMax: wanted });
  }
  if (deleted > 0) await deleteRevisions(channel, jobId);
  if (deleted < wanted && isRemoved) await deleteRemovedJob(channel, jobId, days);
  return deleted;
}

/** The ends of an upstream stay until every job that follows it has been told of them. */
function notSwept(job: Row, until: RunPlace): RunPlace {
  const sweptMs = (job.swept_until as Date | null)?.getTime();
  if (sweptMs === undefined) return until;
  const swept: RunPlace = { endedMs: sweptMs, runId: 0 };
  return comesBefore(swept, until) ? swept : until;
}

function keepOf(job: Row, keep: HistoryKeep) {
  return keepOfJob({ ...numberOf(job, 'keep_days'), ...numberOf(job, 'keep_runs') }, keep);
}

/** JSON comes as text from one server and read from another. */
function numberOf(job: Row, column: 'keep_days' | 'keep_runs') {
  const value = Number(job[column] ?? Number.NaN);
  if (!Number.isInteger(value) || value < 1) return {};
  return column === 'keep_days' ? { keepDays: value } : { keepRuns: value };
}

function placeOf(row: Row | undefined): RunPlace | null {
  if (row === undefined) return null;
  return { endedMs: (row.ended_at as Date).getTime(), runId: row.run_id as number };
}

function nowOf(job: Row): number {
  return (job.now_at as Date).getTime();
}

const fieldOf = (field: string): string =>
  `IF(JSON_VALID(job_revision.definition),
      JSON_EXTRACT(job_revision.definition, '$.${field}'), NULL)`;
const newestFirst = 'ORDER BY ended_at DESC, run_id DESC';
const selectJobs = `/* cleanJobs */ SELECT job.job_id, job.removed_no <> 0 AS is_removed,
    NOW(3) AS now_at, ${fieldOf('keepDays')} AS keep_days, ${fieldOf('keepRuns')} AS keep_runs,
    (SELECT MIN(ended_at) FROM run WHERE run.job_id = job.job_id) AS oldest_at,
    (SELECT ended_at FROM run FORCE INDEX (run_by_job) WHERE run.job_id = job.job_id
      ${newestFirst} LIMIT 1 OFFSET ?) AS surplus_at,
    (SELECT MIN(swept_until) FROM chain_link WHERE chain_link.upstream = job.name) AS swept_until
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.job_id > ? ORDER BY job.job_id LIMIT ?`;
const selectSurplus = `/* cleanJobs surplus */ SELECT ended_at, run_id
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? ${newestFirst} LIMIT 1 OFFSET ?`;
/** What a list of jobs shows stays, however old it is: the last row, and the last that ran. */
const selectLast = `/* cleanJobs last */ (SELECT run_id FROM run FORCE INDEX (run_by_job)
    WHERE job_id = ? ${newestFirst} LIMIT 1)
  UNION (SELECT run_id FROM run FORCE INDEX (run_by_job)
    WHERE job_id = ? AND result NOT IN ('skipped', 'missed') ${newestFirst} LIMIT 1)`;
