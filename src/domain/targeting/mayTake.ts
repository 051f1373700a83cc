import type { Target } from '../job/jobPolicies.ts';
import type { NodeFacts, NodeGroups } from './nodeFacts.ts';

/** What a job requires of the node that takes it. */
export interface Placement {
  readonly target: Target | undefined;
  /** The format of the job's definition: a node that does not know it leaves the job to others. */
  readonly definitionFormat: number;
  /** The group of jobs that it is of; absent: none that could have a limit. */
  readonly jobGroup?: string;
  /** Who its runs are; absent: as whom the node runs. */
  readonly user?: string;
}

/** Of jobs that any node may take, one of an earlier release too. */
export const anyPlacement: Placement = { target: undefined, definitionFormat: 1 };

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
  return takerAbove(placement, me, live, groups) === null;
}

/** A node of a lower level above 0 that could run the job, and so takes it in this one's place. */
export function takerAbove(
  placement: Placement,
  { level }: Pick<NodeFacts, 'level'>,
  live: Iterable<NodeFacts>,
  groups: NodeGroups,
): NodeFacts | null {
  for (const other of live) {
    const outranks = other.level > 0 && other.level < level;
    if (outranks && couldTake(placement, other, groups)) return other;
  }
  return null;
}

/**
 * Whether it may run the job at all, chosen or not: so has an every-node job its nodes, and so long
 * is a launch that it has prepared its own.
 */
export function couldTake(placement: Placement, node: NodeFacts, groups: NodeGroups): boolean {
  return !obstacles.some(([, keeps]) => keeps(placement, node, groups));
}

/** All that keeps a node from a job, whatever other nodes there are; none: it could take it. */
export function obstaclesOf(
  placement: Placement,
  node: NodeFacts,
  groups: NodeGroups,
): readonly Obstacle[] {
  return obstacles.flatMap(([name, keeps]) => (keeps(placement, node, groups) ? [name] : []));
}

/** `level`: it takes no work at all. */
export type Obstacle = 'level' | 'draining' | 'format' | 'target' | 'user';

type Keeps = (placement: Placement, node: NodeFacts, groups: NodeGroups) => boolean;

const obstacles: readonly (readonly [Obstacle, Keeps])[] = [
  ['level', (_, { level }) => level <= 0 && level !== besideLevel],
  ['draining', (_, { isDraining }) => isDraining],
  ['format', (placement, node) => node.definitionFormat < placement.definitionFormat],
  ['target', ({ target }, node, groups) => !isEligible(target, node, groups)],
  ['user', ({ user }, { users }) => user !== undefined && users?.includes(user) === false],
];

/**
 * Whether a node executes every tick itself, beside the node that is chosen: in slots of its own,
 * as every-node jobs have them. A release that does not know of such slots would request a run by
 * hand in them, too, so that there are none while a node of it lives.
 */
export function runsBeside(me: NodeFacts, live: Iterable<NodeFacts>): boolean {
  if (me.level !== besideLevel) return false;
  for (const other of live) if (other.definitionFormat < besideFormat) return false;
  return me.definitionFormat >= besideFormat;
}

/** The level of nodes that take no part in the choice and execute every tick. */
export const besideLevel = -1;
/** Of definitions: what a node understands shows its release. */
const besideFormat = 5;

/**
 * Whether a target allows a node, whatever its level. Exclusions come first, then what is named:
 * nodes, labels, groups; a target that names none of them allows every node that it does not
 * exclude. cronsun has the same order (`Job.IsRunOn`: exclusions, then nodes, then groups).
 */
export function isEligible(target: Target | undefined, node: Named, groups: NodeGroups): boolean {
  if (target === undefined) return true;
  const { nodes = [], labels = [], groups: groupNames = [] } = target;
  const { excludeNodes = [], excludeLabels = [], excludeGroups = [] } = target;
  if (isNamed(node, groups, excludeNodes, excludeLabels, excludeGroups)) return false;
  const isForAll = nodes.length + labels.length + groupNames.length === 0;
  return isForAll || isNamed(node, groups, nodes, labels, groupNames);
}

/** Whether no other node than one may ever run it. */
export function isForOneNode({ nodes = [], labels = [], groups = [] }: Target): boolean {
  return nodes.length === 1 && labels.length + groups.length === 0;
}

/** What of a target's exclusions names a node; empty lists: nothing does. */
export function exclusionsOf(target: Target, node: Named, groups: NodeGroups) {
  const { excludeNodes = [], excludeLabels = [], excludeGroups = [] } = target;
  return {
    nodes: excludeNodes.filter((each) => isNamed(node, groups, [each], [], [])),
    labels: excludeLabels.filter((each) => isNamed(node, groups, [], [each], [])),
    groups: excludeGroups.filter((each) => isNamed(node, groups, [], [], [each])),
  };
}

type Named = Pick<NodeFacts, 'nodeName' | 'labels'>;

/** A group that does not exist has no members. */
function isNamed(
  { nodeName, labels }: Named,
  groups: NodeGroups,
  nodes: readonly string[],
  wantedLabels: readonly string[],
  groupNames: readonly string[],
): boolean {
  return (
    nodes.includes(nodeName) ||
    wantedLabels.some((wanted) => labels.some((label) => hasLabel(label, wanted))) ||
    groupNames.some((group) => groups.get(group)?.has(nodeName) === true)
  );
}

/** `disk` wants the label with any value, `disk=ssd` that value. */
function hasLabel(label: string, wanted: string): boolean {
  return label === wanted || label.startsWith(`${wanted}=`);
}
