import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import type { Channel } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { rowOf, text } from '../rows/row.ts';
import { pauseColumns, selectPause } from './findJob.ts';
import { type JobListed, presentJob } from './listedJob.ts';
import { pageOfJobs } from './pageOfJobs.ts';
import type { JobPageQuery } from './selectPage.ts';
import { shownDefinition } from './shownDefinition.ts';

/** Which jobs a list shows: those that meet every condition that is given. */
export interface JobFilter
  extends Pick<JobPageQuery, 'text' | 'tags' | 'state' | 'lastResults' | 'node' | 'hasStats'> {
  /** They belong to this group of jobs; `default`: to none other. */
  readonly group?: string;
  readonly jobsMax: number;
}

/**
 * Jobs by name, those that meet the filter; read page by page, so that a list of any length needs
 * no more memory than a page.
 */
export async function* listJobs(channel: Channel, filter: JobFilter): AsyncGenerator<JobListed> {
  const { group, jobsMax, ...conditions } = filter;
  const groups = group === undefined ? {} : { groups: [group] };
  let after: string | null = null;
  for (let left = jobsMax; left > 0; ) {
    const size = { jobsMax: Math.min(left, pageMax), definitionBytesMax };
    const query = { ...conditions, ...groups, ...size, sort: 'name', after } as const;
    const { jobs, next } = await pageOfJobs(channel, query);
    yield* jobs;
    left -= jobs.length;
    if (next === null) return;
    after = next;
  }
}

/** The jobs with these names as they are in force, without their secrets, by name. */
export async function readDefinitions(
  channel: Channel,
  names: readonly string[],
): Promise<Map<string, PresentJob>> {
  const jobs = await channel.rowsOf(definedJob, selectDefinitions, names, pageMax);
  return new Map(jobs.map((job) => [job.name, presentJob(job)]));
}

/** A million jobs fit in no packet: a definition may have a command of a megabyte. */
const pageMax = 200;
const definitionBytesMax = 8 * 1024 * 1024;

const definedJob = rowOf({ ...pauseColumns, name: text, definition: shownDefinition });
const selectDefinitions = `/* readDefinitions */ SELECT job.name, ${selectPause},
    job_revision.definition
  FROM ${joinedRevision}
  WHERE job.removed_no = 0 AND job.name IN (?)`;
