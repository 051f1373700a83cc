import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Channel, Row } from '../channel.ts';
import { shownDefinition } from './shownDefinition.ts';

/**
 * The definitions in force of the jobs with these names, as they are shown; a name without a job is
 * left out.
 */
export async function readDefinitions(
  channel: Channel,
  names: readonly string[],
): Promise<Map<string, JobDefinition>> {
  const definitions = new Map<string, JobDefinition>();
  for (let at = 0; at < names.length; at += namesMax) {
    const rows = await channel.query<Row[]>(selectDefinitions, [names.slice(at, at + namesMax)]);
    for (const row of rows) {
      definitions.set(row.name as string, shownDefinition(row.definition as string));
    }
  }
  return definitions;
}

/** A definition may have a command of a megabyte. */
const namesMax = 200;

const selectDefinitions = `/* readDefinitions */ SELECT job.name, job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.removed_no = 0 AND job.name IN (?)`;
