import { anyPlacement, couldTake, mayTake, type Placement, runsBeside } from './mayTake.ts';
import type { LiveNode, NodeFacts, NodeGroups } from './nodeFacts.ts';

/** The groups, and the targets that jobs have by their ids, as one version has them. */
export interface Targeting {
  readonly version: number;
  readonly groups: NodeGroups;
  /** With `anyTarget` in it. */
  readonly placements: ReadonlyMap<number, Placement>;
  /** How many launches of a group of jobs may be held at once, by the group's name. */
  readonly limits: ReadonlyMap<string, number>;
}

/** The target ids that a node may claim for; neither list is ever empty, see `noTarget`. */
export interface Takeable {
  /** Of slots that no node's name is on. */
  readonly anywhere: readonly number[];
  /** Of slots of its own name. */
  readonly pinned: readonly number[];
  /** Its own slots are not only those of every-node jobs. */
  readonly isBeside: boolean;
  /** The groups of jobs with a limit that some of these are of. */
  readonly limited: readonly LimitedGroup[];
  /** Which of the ids are of observed jobs. */
  readonly observed: readonly number[];
}

interface LimitedGroup {
  readonly group: string;
  readonly launchesMax: number;
  /** Of all its jobs, those that others run included. */
  readonly targetIds: readonly number[];
}

/** The id of the target of jobs that any node may take, one of an earlier release too. */
export const anyTarget = [0, anyPlacement] as const;

/** Stands in lists of SQL that would be empty. */
export const noTarget = -1;

/** What the session may claim now: nothing when it is not live. */
export function takeableOf(
  targeting: Targeting,
  live: readonly LiveNode[],
  sessionId: string,
): Takeable {
  const me = live.find((node) => node.sessionId === sessionId);
  if (me === undefined) {
    const none = [noTarget];
    return { anywhere: none, pinned: none, limited: [], observed: [], isBeside: false };
  }
  const { groups, placements } = targeting;
  const pinned = targetsOf(me, targeting);
  const anywhere = pinned.filter((targetId) => {
    const placement = placements.get(targetId);
    return placement !== undefined && mayTake(placement, me, live, groups);
  });
  const limited = limitedGroups(pinned, targeting);
  const isBeside = runsBeside(me, live);
  const observed = pinned.filter((id) => placements.get(id)?.definitionFormat === observedFormat);
  const ids = { anywhere: [noTarget, ...anywhere], pinned: [noTarget, ...pinned], observed };
  return { ...ids, limited, isBeside };
}

/** Of definitions that say `observed`, and of no others. */
export const observedFormat = 6;

/**
 * What starts runs, and observed jobs alone; null: there are none. Ticks of those are recorded once
 * they are over and start nothing, so they are looked for after all others, and never ahead: two
 * thousand that came back in each claim made others 8 s late.
 */
export function splitObserved(takeable: Takeable): { live: Takeable; observed: Takeable | null } {
  if (takeable.observed.length === 0) return { live: takeable, observed: null };
  const those = new Set(takeable.observed);
  const of = (isObserved: boolean): Takeable => {
    const isOne = (id: number): boolean => id === noTarget || those.has(id) === isObserved;
    const { anywhere, pinned } = takeable;
    return { ...takeable, anywhere: anywhere.filter(isOne), pinned: pinned.filter(isOne) };
  };
  return { live: of(false), observed: of(true) };
}

/**
 * Leaves out the groups that are full: `held` has how many launches each target id has in slots
 * now, prepared or executing.
 */
export function withoutFull(takeable: Takeable, held: ReadonlyMap<number, number>): Takeable {
  const { anywhere, pinned } = takeable;
  const limited = takeable.limited.filter((each) => roomOf(each, held) > 0);
  if (limited.length === takeable.limited.length) return takeable;
  const full = takeable.limited.filter((each) => !limited.includes(each));
  const fullIds = new Set(full.flatMap(({ targetIds }) => targetIds));
  const isOpen = (targetId: number) => !fullIds.has(targetId);
  return { ...takeable, anywhere: anywhere.filter(isOpen), pinned: pinned.filter(isOpen), limited };
}

/**
 * Of what is due, in its order, what the limits of its groups leave room for; nothing of groups
 * whose lock is not held.
 */
export function withinLimits<T>(
  due: readonly T[],
  targetIdOf: (each: T) => number,
  { limited }: Takeable,
  held: ReadonlyMap<number, number>,
  locked: ReadonlySet<string>,
): T[] {
  const rooms = new Map<number, { left: number }>();
  for (const each of limited) {
    const room = { left: locked.has(each.group) ? roomOf(each, held) : 0 };
    for (const targetId of each.targetIds) rooms.set(targetId, room);
  }
  return due.filter((each) => {
    const room = rooms.get(targetIdOf(each));
    if (room === undefined) return true;
    room.left -= 1;
    return room.left >= 0;
  });
}

/**
 * How far ahead slots of a limited group are claimed: what is prepared takes a place that another
 * job could execute in.
 */
export const limitedAheadMs = 2_000;

function roomOf(
  { launchesMax, targetIds }: LimitedGroup,
  held: ReadonlyMap<number, number>,
): number {
  return targetIds.reduce((room, targetId) => room - (held.get(targetId) ?? 0), launchesMax);
}

function limitedGroups(
  targetIds: readonly number[],
  { limits, placements }: Targeting,
): LimitedGroup[] {
  if (limits.size === 0) return [];
  const wanted = new Set(targetIds.map((targetId) => placements.get(targetId)?.jobGroup ?? ''));
  return [...limits].flatMap(([group, launchesMax]) => {
    if (!wanted.has(group)) return [];
    const own = [...placements].filter(([, { jobGroup }]) => jobGroup === group);
    return [{ group, launchesMax, targetIds: own.map(([targetId]) => targetId) }];
  });
}

/** The ids of all targets that allow a node, whatever others there are. */
export function targetsOf(node: NodeFacts, { groups, placements }: Targeting): number[] {
  return [...placements].flatMap(([targetId, placement]) =>
    couldTake(placement, node, groups) ? [targetId] : [],
  );
}

/**
 * Whether a node has slots of its own of a job: of an every-node job, or because it runs every tick
 * beside the node that is chosen.
 */
export function hasOwnSlots(
  node: NodeFacts,
  { isEveryNode, targetId }: { readonly isEveryNode: boolean; readonly targetId: number },
  live: Iterable<NodeFacts>,
  targeting: Targeting,
): boolean {
  return hasPlace(node, targetId, targeting) && (isEveryNode || runsBeside(node, live));
}

/**
 * Whether a node has a place for what requires the target: a slot of its own, or a launch that it
 * has prepared. One that is about to leave keeps both until it has left.
 */
export function hasPlace(node: NodeFacts, targetId: number, targeting: Targeting): boolean {
  const placement = targeting.placements.get(targetId);
  const staying = { ...node, isDraining: false };
  return placement !== undefined && couldTake(placement, staying, targeting.groups);
}
