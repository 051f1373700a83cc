import { didYouMean } from '../../domain/text/didYouMean.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { jobGroupMissing } from '../../store/groups/listGroups.ts';
import { objectNames } from './objectNames.ts';

/**
 * A group of jobs is there as long as a job is in it; `default`: the jobs without one.
 * @throws OperatorError `job_group_missing`.
 */
export async function requireJobGroup(operator: ApiOperator, group: string): Promise<void> {
  if (group === 'default') return;
  for await (const _ of operator.listJobs({ group, jobsMax: 1 })) return;
  throw jobGroupMissing(group);
}

/** The groups that may have been meant by one that no job is in, as a question; else empty. */
export async function meantJobGroup(operator: ApiOperator, group: string): Promise<string> {
  return didYouMean(group, await objectNames.jobGroup(operator).catch(() => []));
}
