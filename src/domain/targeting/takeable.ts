import { couldTake, mayTake, type Placement } from './mayTake.ts';
import type { NodeFacts, NodeGroups } from './nodeFacts.ts';

/** The groups, and the targets that jobs have by their ids, as one version has them. */
export interface Targeting {
  readonly version: number;
  readonly groups: NodeGroups;
  /** With `anyTarget` in it. */
  readonly placements: ReadonlyMap<number, Placement>;
}

/** The target ids that a node may claim for; neither list is ever empty, see `noTarget`. */
export interface Takeable {
  /** Of slots that no node's name is on. */
  readonly anywhere: readonly number[];
  /** Of slots of its own name. */
  readonly pinned: readonly number[];
}

/** A live session, as the claims of all others see it. */
export interface LiveNode extends NodeFacts {
  readonly sessionId: string;
}

/** The id of the target of jobs that any node may take, one of an earlier release too. */
export const anyTarget = [0, { target: undefined, definitionFormat: 1 }] as const satisfies [
  number,
  Placement,
];

/** Stands in lists of SQL that would be empty. */
export const noTarget = -1;

/** What the session may claim now: nothing when it is not live. */
export function takeableOf(
  targeting: Targeting,
  live: readonly LiveNode[],
  sessionId: string,
): Takeable {
  const me = live.find((node) => node.sessionId === sessionId);
  if (me === undefined) return { anywhere: [noTarget], pinned: [noTarget] };
  const { groups, placements } = targeting;
  const pinned = targetsOf(me, targeting);
  const anywhere = pinned.filter((targetId) => {
    const placement = placements.get(targetId);
    return placement !== undefined && mayTake(placement, me, live, groups);
  });
  return { anywhere: [noTarget, ...anywhere], pinned: [noTarget, ...pinned] };
}

/** The ids of all targets that allow a node, whatever others there are. */
export function targetsOf(node: NodeFacts, { groups, placements }: Targeting): number[] {
  return [...placements.keys()].filter((targetId) => {
    const placement = placements.get(targetId);
    return placement !== undefined && couldTake(placement, node, groups);
  });
}

/**
 * Whether a node has a place for what asks for the target: a slot of its own of an every-node job,
 * or a launch that it has prepared. One that is about to leave keeps both until it has left.
 */
export function hasPlace(node: NodeFacts, targetId: number, targeting: Targeting): boolean {
  const placement = targeting.placements.get(targetId);
  const staying = { ...node, isDraining: false };
  return placement !== undefined && couldTake(placement, staying, targeting.groups);
}
