import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import type { Channel } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { rowOf, text } from '../rows/row.ts';
import { pauseColumns, selectPause } from './findJob.ts';
import { presentJob } from './listedJob.ts';
import { shownDefinition } from './shownDefinition.ts';

/**
 * The jobs with these names as they are in force, their definitions as they are shown; a name
 * without a job is left out.
 */
export async function readDefinitions(
  channel: Channel,
  names: readonly string[],
): Promise<Map<string, PresentJob>> {
  const jobs = new Map<string, PresentJob>();
  for (let at = 0; at < names.length; at += namesMax) {
    const some = names.slice(at, at + namesMax);
    const found = await channel.rows(definedJob, selectDefinitions, [some]);
    for (const job of found) jobs.set(job.name, presentJob(job));
  }
  return jobs;
}

/** A definition may have a command of a megabyte. */
const namesMax = 200;

const definedJob = rowOf({ ...pauseColumns, name: text, definition: shownDefinition });
const selectDefinitions = `/* readDefinitions */ SELECT job.name, ${selectPause},
    job_revision.definition
  FROM ${joinedRevision}
  WHERE job.removed_no = 0 AND job.name IN (?)`;
