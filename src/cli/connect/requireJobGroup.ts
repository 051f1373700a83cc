import { OperatorError } from '../../domain/errors/errors.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';

/**
 * A group of jobs is there as long as a job is in it; `default`: the jobs without one.
 * @throws OperatorError `job_group_missing`.
 */
export async function requireJobGroup(operator: ApiOperator, group: string): Promise<void> {
  if (group === 'default') return;
  for await (const _ of operator.listJobs({ group, jobsMax: 1 })) return;
  throw new OperatorError({
    code: 'job_group_missing',
    message: `No job is in the group ${JSON.stringify(group)}.`,
    hint: 'See the group of a job: statecron job show NAME; change it: job edit NAME --group GROUP',
    missing: group,
  });
}
