import type { Channel, Row } from '../channel.ts';

export interface JobLabel {
  readonly jobId: number;
  readonly name: string;
}

/** The first so many jobs by age, so that it is the same ones each time, and how many there are. */
export async function readJobLabels(
  channel: Channel,
  jobsMax: number,
): Promise<{ readonly jobs: JobLabel[]; readonly all: number }> {
  const rows = jobsMax === 0 ? [] : await channel.query<Row[]>(selectJobs, [jobsMax]);
  const [count] = await channel.query<Row[]>(countJobs);
  return {
    jobs: rows.map((row) => ({ jobId: row.job_id as number, name: row.name as string })),
    all: Number(count?.jobs ?? 0),
  };
}

/** When each of some jobs last succeeded, epoch milliseconds; those that never did are left out. */
export async function readLastSuccess(
  channel: Channel,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (jobIds.length === 0) return new Map();
  const rows = await channel.query<Row[]>(selectLast, [jobIds]);
  return new Map(
    rows.flatMap((row) =>
      row.last_at === null ? [] : [[row.job_id as number, (row.last_at as Date).getTime()]],
    ),
  );
}

const selectJobs = `/* readJobLabels */ SELECT job_id, name FROM job
  WHERE removed_no = 0 ORDER BY job_id LIMIT ?`;
const countJobs = '/* readJobLabels all */ SELECT COUNT(*) AS jobs FROM job WHERE removed_no = 0';
const selectLast = `/* readLastSuccess */ SELECT job_id,
    (SELECT ended_at FROM run FORCE INDEX (run_by_job)
      WHERE run.job_id = job.job_id AND result = 'succeeded'
      ORDER BY run.job_id DESC, ended_at DESC LIMIT 1) AS last_at
  FROM job WHERE job_id IN (?)`;
