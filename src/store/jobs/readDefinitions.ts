import type { PresentJob } from '../../domain/words/planApply.ts';
import type { Channel, Row } from '../channel.ts';
import { pauseOf, resumeColumn } from './findJob.ts';
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
    const rows = await channel.query<Row[]>(selectDefinitions, [names.slice(at, at + namesMax)]);
    for (const row of rows) {
      const definition = shownDefinition(row.definition as string);
      jobs.set(row.name as string, presentJob({ definition, ...pauseOf(row) }));
    }
  }
  return jobs;
}

/** A definition may have a command of a megabyte. */
const namesMax = 200;

const selectDefinitions = `/* readDefinitions */ SELECT job.name, job.paused, ${resumeColumn},
    job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.removed_no = 0 AND job.name IN (?)`;
