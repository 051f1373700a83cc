import type { Taken } from '../../domain/commit/cleaningPace.ts';
import {
  cleanableUntil,
  comesBefore,
  type HistoryKeep,
  keepOfJob,
  keptSinceMs,
  type RunPlace,
} from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import {
  type Column,
  each,
  flag,
  instantMs,
  integer,
  nullable,
  only,
  rowOf,
  text,
} from '../rows/row.ts';
import { lastFailure, mendLastFailure } from '../slots/lastFailure.ts';
import { deleteRemovedJob } from './deleteRemovedJob.ts';
import { deleteRuns } from './deleteRuns.ts';
import type { Pacer } from './pacer.ts';

const revisionsMax = 500;

/** Where a step has come to. */
interface JobsCleaned {
  /** The last job that is done with; null: all are. */
  readonly afterJobId: number | null;
  readonly rows: number;
}

/** Cleans what it finds in the next jobs, as many as there is time for in this step. */
export async function cleanJobs(
  channel: Channel,
  afterJobId: number,
  keep: HistoryKeep,
  pacer: Pacer,
): Promise<JobsCleaned> {
  let rows = 0;
  let done: number | null = afterJobId;
  do {
    const cleaned: JobsCleaned = await cleanNext(channel, done, keep, pacer);
    done = cleaned.afterJobId;
    rows += cleaned.rows;
  } while (done !== null && !pacer.isStepOver);
  return { afterJobId: done, rows };
}

async function cleanNext(
  channel: Channel,
  afterJobId: number,
  keep: HistoryKeep,
  pacer: Pacer,
): Promise<JobsCleaned> {
  const { jobs, isMore } = await pacer.take('jobs', async (many) => {
    const jobs = await channel.rows(cleanedJob, selectJobs, [keep.runs, afterJobId, many]);
    return { jobs, rows: jobs.length, isMore: jobs.length === many };
  });
  // One by one, since a finish may hold the rows of several.
  for (const { jobId, keptFailure, lastFailure: found } of jobs) {
    if (keptFailure !== found) await mendLastFailure(channel, jobId, keptFailure);
  }
  let done = afterJobId;
  let rows = 0;
  for (const job of jobs) {
    if (mayHaveSurplus(job, keep)) {
      // One job at least, however long the look at them took: else nothing would ever go.
      if (pacer.isStepOver && done !== afterJobId) return { afterJobId: done, rows };
      const cleaned = await cleanJob(channel, job, keep, pacer);
      rows += cleaned.rows;
      if (cleaned.isMore) return { afterJobId: done, rows };
    }
    done = job.jobId;
  }
  return { afterJobId: isMore ? done : null, rows };
}

/** Most jobs keep what the cluster keeps, and have less: nothing more is read of them. */
function mayHaveSurplus(job: CleanedJob, keep: HistoryKeep): boolean {
  if (job.isRemoved || job.keepRuns !== null || job.surplusMs !== null) return true;
  return (job.oldestMs ?? Infinity) < keptSinceMs(keepOfJob(job, keep).days, job.nowMs);
}

async function cleanJob(
  channel: Channel,
  job: CleanedJob,
  keep: HistoryKeep,
  pacer: Pacer,
): Promise<Taken> {
  const { jobId, isRemoved } = job;
  const { days, runs } = keepOfJob(job, keep);
  const [surplus = null] = await channel.rows(runPlace, selectSurplus, [jobId, runs]);
  const until = notSwept(job, cleanableUntil(days, surplus, job.nowMs));
  const oldest = { endedMs: job.oldestMs ?? Infinity, runId: 0 };
  let deleted: Taken = { rows: 0, isMore: false };
  if (comesBefore(oldest, until)) {
    const keptIds = isRemoved ? [] : await channel.rows(only(integer), selectLast, [jobId, jobId]);
    deleted = await pacer.takeUntilOver('runs', (rowsMax) =>
      deleteRuns(channel, jobId, { until, keptIds, rowsMax }),
    );
  }
  if (deleted.rows > 0) await deleteRevisions(channel, jobId);
  if (!deleted.isMore && isRemoved) await deleteRemovedJob(channel, jobId, days);
  return deleted;
}

/** The ends of an upstream stay until they have been delivered to every job that follows it. */
function notSwept({ sweptUntilMs }: CleanedJob, until: RunPlace): RunPlace {
  if (sweptUntilMs === null) return until;
  const swept: RunPlace = { endedMs: sweptUntilMs, runId: 0 };
  return comesBefore(swept, until) ? swept : until;
}

/**
 * Deletes the first revisions of a job that nothing needs any more: they were out of force before
 * the history begins, and no row of it, and no slot, names them or an earlier one. So those that
 * stay are whole from the oldest on. Slots are read first: what ends meanwhile is then in a row.
 */
async function deleteRevisions(channel: Channel, jobId: number): Promise<number> {
  const read = async (sql: string): Promise<number | null> =>
    (await channel.rows(only(nullable(integer)), sql, [jobId]))[0] ?? null;
  const last = await read(selectOld);
  if (last === null) return 0;
  const ofSlots = (await read(selectOfSlots)) ?? Infinity;
  const ofRuns = (await read(selectOfRuns)) ?? Infinity;
  return channel.change(deleteOld, [jobId, Math.min(last + 1, ofSlots, ofRuns), revisionsMax]);
}

const fieldOf = (field: string): string =>
  `IF(JSON_VALID(job_revision.definition),
      JSON_EXTRACT(job_revision.definition, '$.${field}'), NULL)`;
/** Behind a condition on the job. MySQL sorts a job's whole history in a subquery without it. */
const newestFirst = 'ORDER BY job_id DESC, ended_at DESC, run_id DESC';
/** JSON comes as text from one server and read from another. */
const count: Column<number | null> = {
  unit: '',
  read(value) {
    const number = Number(value ?? Number.NaN);
    return Number.isInteger(number) && number >= 1 ? number : null;
  },
};
type CleanedJob = ReturnType<typeof cleanedJob>;
const cleanedJob = rowOf({
  jobId: integer,
  isRemoved: flag,
  nowMs: instantMs,
  keepDays: count,
  keepRuns: count,
  ...each(nullable(text), 'keptFailure', 'lastFailure'),
  ...each(nullable(instantMs), 'oldestMs', 'surplusMs', 'sweptUntilMs'),
});
const selectJobs = `/* cleanJobs */ SELECT job.job_id, job.removed_no <> 0 AS is_removed,
    NOW(3) AS now, ${fieldOf('keepDays')} AS keep_days, ${fieldOf('keepRuns')} AS keep_runs,
    (SELECT MIN(ended_at) FROM run WHERE run.job_id = job.job_id) AS oldest,
    (SELECT ended_at FROM run FORCE INDEX (run_by_job) WHERE run.job_id = job.job_id
      ${newestFirst} LIMIT 1 OFFSET ?) AS surplus,
    job.last_failure AS kept_failure, ${lastFailure} AS last_failure,
    (SELECT MIN(swept_until) FROM chain_link WHERE chain_link.upstream = job.name) AS swept_until
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.job_id > ? ORDER BY job.job_id LIMIT ?`;
const runPlace = rowOf({ endedMs: instantMs, runId: integer });
const selectSurplus = `/* cleanJobs surplus */ SELECT ended_at AS ended, run_id
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? ${newestFirst} LIMIT 1 OFFSET ?`;
/** What a list of jobs shows stays, however old it is: the last row, and the last that ran. */
const selectLast = `/* cleanJobs last */ (SELECT run_id FROM run FORCE INDEX (run_by_job)
    WHERE job_id = ? ${newestFirst} LIMIT 1)
  UNION (SELECT run_id FROM run FORCE INDEX (run_by_job)
    WHERE job_id = ? AND result NOT IN ('skipped', 'missed') ${newestFirst} LIMIT 1)`;

const selectOld = `/* deleteRevisions */ SELECT MAX(job_revision.revision) AS last_revision
  FROM job JOIN job_revision ON job_revision.job_id = job.job_id
    AND job_revision.revision < job.revision
  WHERE job.job_id = ? AND job_revision.in_force_until <= job.history_from`;
const selectOfSlots = `/* deleteRevisions slots */ SELECT MIN(revision) AS first_revision FROM slot
  WHERE job_id = ?`;
const selectOfRuns = `/* deleteRevisions runs */ SELECT MIN(revision) AS first_revision
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ?`;
const deleteOld = `/* deleteRevisions delete */ DELETE FROM job_revision
  WHERE job_id = ? AND revision < ? ORDER BY revision LIMIT ?`;
