import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { isTickOnly } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { readLastRuns, readRecentRuns } from '../runs/recentRuns.ts';
import { readRunnable } from '../targeting/unrunnableJobs.ts';
import { type JobListed, type JobRow, lastRowOf, listedJob, slotsOf } from './listedJob.ts';

type DefinedRow = Omit<JobRow, 'definition'> & { readonly definition: JobDefinition };

/** How many rows of each job's history a list with statistics shows. */
const recentMax = 20;

/** Completes the rows of a page by what is read for all of them together. */
export async function listRows(
  channel: Channel,
  rows: readonly DefinedRow[],
  hasStats: boolean,
): Promise<JobListed[]> {
  if (rows.length === 0) return [];
  const isRunnable = await readRunnable(channel, [
    ...new Set(rows.map(({ targetId }) => targetId)),
  ]);
  const jobIds = rows.map(({ jobId }) => jobId);
  const recent = hasStats ? await readRecentRuns(channel, jobIds, recentMax) : null;
  const lastOf = await readLast(channel, rows);
  return rows.map((row) => {
    const { definition, jobId, targetId } = row;
    const strip = recent === null ? {} : { recent: recent.get(jobId) ?? [] };
    const isEveryNode = definition.kind === 'every-node';
    const extras = { definition, last: lastOf(row), ...strip };
    return listedJob(row, extras, isRunnable({ targetId, isEveryNode }));
  });
}

/**
 * The last run of each job. Behind the last row that is none there may be ten thousands, of a job
 * that is observed: what ran last stands where the last end of a slot is.
 */
async function readLast(channel: Channel, rows: readonly DefinedRow[]) {
  const behind = rows.flatMap((row) => {
    const [{ endedMs }, last] = [slotsOf(row), lastRowOf(row)];
    const isBehind = last !== null && isTickOnly(last.result) && endedMs !== null;
    return isBehind ? [{ jobId: row.jobId, endedMs }] : [];
  });
  const found = await readLastRuns(channel, behind);
  return (row: DefinedRow) => {
    const last = lastRowOf(row);
    return last !== null && isTickOnly(last.result) ? (found.get(row.jobId)?.[0] ?? null) : last;
  };
}
