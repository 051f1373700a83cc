import type { Target } from '../../src/domain/job/jobPolicies.ts';

/** Whether a target lets a node of that name run; null: labels or groups decide. */
export function couldRun(target: Target | undefined, node: string): boolean | null {
  if (target === undefined) return true;
  const { nodes, labels, groups, excludeNodes, excludeLabels, excludeGroups } = target;
  if (excludeNodes?.includes(node)) return false;
  if (excludeLabels !== undefined || excludeGroups !== undefined) return null;
  if (nodes?.includes(node)) return true;
  if (labels !== undefined || groups !== undefined) return null;
  return nodes === undefined;
}
