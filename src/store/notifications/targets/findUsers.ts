import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { Queryable } from '../../connection/queryable.ts';
import { escapeLike } from '../../rows/escapeLike.ts';
import { jsonOf, rowOf, text } from '../../rows/row.ts';

const usersMax = 5;

/**
 * Some of the jobs whose definitions in force name a target. The text is searched first, as it
 * stands in JSON, since a cluster may have very many jobs and few that say who is told.
 */
export async function findUsers(database: Queryable, target: string): Promise<string[]> {
  const jobs = await database.rows(userJob, selectUsers, [`%"notify":%"${escapeLike(target)}"%`]);
  const users = jobs.filter(({ definition: { notify } }) => {
    return [...(notify?.to ?? []), ...(notify?.ping ?? [])].includes(target);
  });
  return users.slice(0, usersMax).map(({ name }) => name);
}

const userJob = rowOf({ name: text, definition: jsonOf<JobDefinition>() });
const selectUsers = `/* findUsers */ SELECT job.name, job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.removed_no = 0 AND job_revision.definition LIKE ? ORDER BY job.name LIMIT 1000`;
