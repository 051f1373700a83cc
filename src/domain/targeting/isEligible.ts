import type { Target } from '../job/jobPolicies.ts';
import type { NodeFacts, NodeGroups } from './nodeFacts.ts';

/**
 * Whether a target allows a node, whatever its level. Exclusions come first, then what is named:
 * nodes, labels, groups; a target that names none of them allows every node that it does not
 * exclude. cronsun has the same order (`Job.IsRunOn`: exclusions, then nodes, then groups).
 */
export function isEligible(
  target: Target | undefined,
  node: Pick<NodeFacts, 'nodeName' | 'labels'>,
  groups: NodeGroups,
): boolean {
  if (target === undefined) return true;
  const { nodes = [], labels = [], groups: groupNames = [] } = target;
  const { excludeNodes = [], excludeLabels = [], excludeGroups = [] } = target;
  if (isNamed(node, { nodes: excludeNodes, labels: excludeLabels, groups: excludeGroups }, groups))
    return false;
  if (nodes.length + labels.length + groupNames.length === 0) return true;
  return isNamed(node, { nodes, labels, groups: groupNames }, groups);
}

interface Naming {
  readonly nodes: readonly string[];
  readonly labels: readonly string[];
  readonly groups: readonly string[];
}

/** A group that does not exist has no members. */
function isNamed(
  { nodeName, labels }: Pick<NodeFacts, 'nodeName' | 'labels'>,
  naming: Naming,
  groups: NodeGroups,
): boolean {
  if (naming.nodes.includes(nodeName)) return true;
  if (naming.labels.some((wanted) => labels.some((label) => hasLabel(label, wanted)))) return true;
  return naming.groups.some((group) => groups.get(group)?.has(nodeName) === true);
}

/** `disk` asks for the label with any value, `disk=ssd` for that value. */
function hasLabel(label: string, wanted: string): boolean {
  return label === wanted || label.startsWith(`${wanted}=`);
}
