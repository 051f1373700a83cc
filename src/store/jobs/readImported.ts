import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, nullable, only } from '../rows/row.ts';
import { shownDefinition } from './shownDefinition.ts';

/** Jobs that are there, as an import compares its lines with them. */
interface ImportedJobs {
  readonly definitions: readonly JobDefinition[];
  /** These are all jobs: one that is not among them is not there. */
  readonly isAll: boolean;
}

/**
 * The jobs that were imported on a machine. No index knows where a job came from, so the texts of
 * all definitions are searched, a window of jobs a statement: as bytes, which takes the server
 * 0.8 µs a job, where LIKE takes 2 µs (MariaDB).
 */
export async function readImported(channel: Channel, host: string): Promise<ImportedJobs> {
  const written = `"origin":${JSON.stringify(`${host}:`).slice(0, -1)}`;
  const lastId = (await channel.rows(only(nullable(integer)), selectLast))[0] ?? 0;
  const definitions: JobDefinition[] = [];
  for (let from = 0; from <= lastId; from += jobsAtOnce) {
    const window = [from, from + jobsAtOnce, written];
    definitions.push(...(await channel.rows(only(shownDefinition), selectImported, window)));
  }
  return { definitions, isAll: false };
}

const jobsAtOnce = 20_000;
const selectLast = '/* readImported last */ SELECT MAX(job_id) AS last_id FROM job';
const selectImported = `/* readImported */ SELECT STRAIGHT_JOIN job_revision.definition
  FROM job_revision
    JOIN job ON job.job_id = job_revision.job_id AND job.revision = job_revision.revision
  WHERE job_revision.job_id >= ? AND job_revision.job_id < ? AND job.removed_no = 0
    AND LOCATE(CAST(? AS BINARY), CAST(job_revision.definition AS BINARY)) > 0`;
