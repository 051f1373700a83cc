import type { Target } from '../jobPolicies.ts';
import { isEligible } from './isEligible.ts';
import type { NodeFacts, NodeGroups } from './nodeFacts.ts';

/** What a job asks of the node that takes it. */
export interface Placement {
  readonly target: Target | undefined;
  /** The format of the job's definition: a node that does not know it leaves the job to others. */
  readonly definitionFormat: number;
  /** The group of jobs that it is of; absent: none that could have a limit. */
  readonly jobGroup?: string;
}

/**
 * Whether a node may take a job's next launch now, as spring-scheduling-cluster ranks nodes: of the
 * live nodes that could run this very job, those of the lowest level above 0 do; -1 always may,
 * and holds nobody back; 0 never. `live` are the live sessions by the database's clock; whether
 * `me` is among them does not matter.
 */
export function mayTake(
  placement: Placement,
  me: NodeFacts,
  live: Iterable<NodeFacts>,
  groups: NodeGroups,
): boolean {
  if (!couldTake(placement, me, groups)) return false;
  if (me.level === alwaysLevel) return true;
  for (const other of live) {
    const outranks = other.level > 0 && other.level < me.level;
    if (outranks && couldTake(placement, other, groups)) return false;
  }
  return true;
}

/**
 * Whether it may run the job at all, outside the ranking: so has an every-node job its nodes, and
 * so long is a launch that it has prepared its own.
 */
export function couldTake(placement: Placement, node: NodeFacts, groups: NodeGroups): boolean {
  const takesWork = node.level > 0 || node.level === alwaysLevel;
  return (
    takesWork &&
    !node.isDraining &&
    node.definitionFormat >= placement.definitionFormat &&
    isEligible(placement.target, node, groups)
  );
}

/** The level of nodes that stand outside the ranking. */
export const alwaysLevel = -1;
