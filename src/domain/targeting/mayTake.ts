import type { Target } from '../job/jobPolicies.ts';
import { isEligible } from './isEligible.ts';
import type { NodeFacts, NodeGroups } from './nodeFacts.ts';

/** What a job requires of the node that takes it. */
export interface Placement {
  readonly target: Target | undefined;
  /** The format of the job's definition: a node that does not know it leaves the job to others. */
  readonly definitionFormat: number;
  /** The group of jobs that it is of; absent: none that could have a limit. */
  readonly jobGroup?: string;
}

/**
 * Whether a node may be the one that the cluster chooses for a job's next launch, as
 * spring-scheduling-cluster ranks nodes: of the live nodes that could run this very job, those of
 * the lowest level above 0. One of level 0 or -1 is never chosen, and holds nobody back. `live` are
 * the live sessions by the database's clock; whether `me` is among them does not matter.
 */
export function mayTake(
  placement: Placement,
  me: NodeFacts,
  live: Iterable<NodeFacts>,
  groups: NodeGroups,
): boolean {
  if (me.level <= 0 || !couldTake(placement, me, groups)) return false;
  for (const other of live) {
    const outranks = other.level > 0 && other.level < me.level;
    if (outranks && couldTake(placement, other, groups)) return false;
  }
  return true;
}

/**
 * Whether it may run the job at all, chosen or not: so has an every-node job its nodes, and so long
 * is a launch that it has prepared its own.
 */
export function couldTake(placement: Placement, node: NodeFacts, groups: NodeGroups): boolean {
  const takesWork = node.level > 0 || node.level === besideLevel;
  return (
    takesWork &&
    !node.isDraining &&
    node.definitionFormat >= placement.definitionFormat &&
    isEligible(placement.target, node, groups)
  );
}

/**
 * Whether a node executes every tick itself, beside the node that is chosen: in slots of its own,
 * as every-node jobs have them. A release that does not know of such slots would ask for a run by
 * hand in them, too, so that there are none while a node of it lives.
 */
export function runsBeside(me: NodeFacts, live: Iterable<NodeFacts>): boolean {
  if (me.level !== besideLevel) return false;
  for (const other of live) if (other.definitionFormat < besideFormat) return false;
  return me.definitionFormat >= besideFormat;
}

/** The level of nodes that take no part in the choice and execute every tick. */
export const besideLevel = -1;
/** Of definitions: what a node understands tells its release. */
const besideFormat = 5;
