import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, only, rowOf, text } from '../rows/row.ts';

export type JobLabel = ReturnType<typeof jobLabel>;

/** The first so many jobs by age, so that it is the same ones each time, and how many there are. */
export async function readJobLabels(
  channel: Channel,
  jobsMax: number,
): Promise<{ readonly jobs: JobLabel[]; readonly all: number }> {
  const jobs = jobsMax === 0 ? [] : await channel.rows(jobLabel, selectJobs, [jobsMax]);
  const [all = 0] = await channel.rows(only(integer), countJobs);
  return { jobs, all };
}

/** When each of some jobs last succeeded, epoch milliseconds; those that never did are left out. */
export async function readLastSuccess(
  channel: Channel,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (jobIds.length === 0) return new Map();
  const rows = await channel.rows(lastSuccess, selectLast, [jobIds]);
  return new Map(
    rows.flatMap(({ jobId, lastMs }) => (lastMs === null ? [] : [[jobId, lastMs] as const])),
  );
}

const jobLabel = rowOf({ jobId: integer, name: text });
const selectJobs = `/* readJobLabels */ SELECT job_id, name FROM job
  WHERE removed_no = 0 ORDER BY job_id LIMIT ?`;
const countJobs = '/* readJobLabels all */ SELECT COUNT(*) AS jobs FROM job WHERE removed_no = 0';
const lastSuccess = rowOf({ jobId: integer, lastMs: nullable(instantMs) });
const selectLast = `/* readLastSuccess */ SELECT job_id,
    (SELECT ended_at FROM run FORCE INDEX (run_by_job)
      WHERE run.job_id = job.job_id AND result = 'succeeded'
      ORDER BY run.job_id DESC, ended_at DESC LIMIT 1) AS last
  FROM job WHERE job_id IN (?)`;
