import type { JobPolicies } from '../job/jobPolicies.ts';

/** Whether a tick that comes while the job runs takes the place of that run. */
export function replacesRun(overlap: JobPolicies['overlap']): overlap is 'replace' | 'terminate' {
  return overlap === 'replace' || overlap === 'terminate';
}
