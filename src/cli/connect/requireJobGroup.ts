import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { jobGroupMissing } from '../../store/groups/listGroups.ts';

/**
 * A group of jobs is there as long as a job is in it; `default`: the jobs without one.
 * @throws OperatorError `job_group_missing`.
 */
export async function requireJobGroup(operator: ApiOperator, group: string): Promise<void> {
  if (group === 'default') return;
  for await (const _ of operator.listJobs({ group, jobsMax: 1 })) return;
  throw jobGroupMissing(group);
}
