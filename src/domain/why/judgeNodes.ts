import type { Target } from '../job/jobPolicies.ts';
import {
  besideLevel,
  exclusionsOf,
  type Obstacle,
  obstaclesOf,
  type Placement,
  takerAbove,
} from '../targeting/mayTake.ts';
import type { NodeFacts } from '../targeting/nodeFacts.ts';
import { hasPermit, placesLeft } from '../targeting/placesLeft.ts';
import { listed } from '../text/listed.ts';
import type { HeldLaunches, PlaceFacts, SessionFacts } from './whyFacts.ts';

/** One thing that keeps a node from the job's next launch, and how people are told. */
interface KeptBy {
  readonly by: Obstacle | 'away' | 'silent' | 'outranked' | 'capacity' | 'concurrency';
  readonly text: string;
}

/** A node, and what keeps it from the job's next launch; nothing: it may take it. */
export interface JudgedNode {
  readonly node: string;
  /** Null: it is not live, and nobody knows. */
  readonly level: number | null;
  readonly session: SessionFacts | null;
  readonly keptBy: readonly KeptBy[];
}

/**
 * Every node that is live, or that the job names or has slots for, and what of targeting keeps it
 * from the job: those that may run it first, then by name.
 */
export function judgeNodes(
  place: Omit<PlaceFacts, 'held' | 'limit'>,
  slotNodes: Iterable<string>,
): JudgedNode[] {
  const there = place.sessions.filter(({ state }) => state !== 'gone');
  const live = there.filter(({ state }) => state === 'live');
  const judge = judgeOf(place, live);
  const judged = there.map((session): JudgedNode => {
    const { level, nodeName } = session;
    return { node: nodeName, level, session, keptBy: judge(session) };
  });
  const present = new Set(there.map(({ nodeName }) => nodeName));
  const named = new Set([...(place.placement.target?.nodes ?? []), ...slotNodes]);
  for (const node of named) {
    if (node === '' || present.has(node)) continue;
    const keptBy = [{ by: 'away', text: 'it is not live' } as const];
    judged.push({ node, level: null, session: null, keptBy });
  }
  const rank = ({ keptBy }: JudgedNode): number => (keptBy.length === 0 ? 0 : 1);
  return judged.sort((a, b) => rank(a) - rank(b) || (a.node < b.node ? -1 : 1));
}

/** Those that nothing of targeting keeps from it. */
export function takersOf(nodes: readonly JudgedNode[]): JudgedNode[] {
  return nodes.filter(({ keptBy }) => keptBy.length === 0);
}

/** What of a node's places is taken. Of launches that it holds the job's own are some. */
export function roomOf(node: JudgedNode, held: HeldLaunches | undefined): KeptBy[] {
  if (node.session === null || held === undefined) return [];
  const { capacity, concurrency } = node.session;
  const { executing, prepared } = held;
  const holds = prepared + executing;
  return [
    ...(placesLeft(capacity, holds) > 0
      ? []
      : [{ by: 'capacity', text: `it holds ${holds} of ${capacity} launches` } as const]),
    ...(hasPermit(concurrency, executing)
      ? []
      : [{ by: 'concurrency', text: `it executes ${executing} of ${concurrency} runs` } as const]),
  ];
}

/** Levels are few, so that each is compared with the others once. */
function judgeOf(
  { groups, isEveryNode, placement }: Omit<PlaceFacts, 'held' | 'limit'>,
  live: readonly SessionFacts[],
): (session: SessionFacts) => KeptBy[] {
  const above = new Map<number, NodeFacts | null>();
  return (session) => {
    const { level, renewedAgoMs, state } = session;
    if (!above.has(level)) above.set(level, takerAbove(placement, session, live, groups));
    const taker = isEveryNode ? null : (above.get(level) ?? null);
    const silence = `it has not renewed its session for ${Math.round(renewedAgoMs / 1000)} s`;
    const isBeside = level === besideLevel && !isEveryNode;
    const beside = 'its level is -1: it is never chosen, and runs each tick itself besides';
    const outranked = `${taker?.nodeName} of level ${taker?.level} goes before its level ${level}`;
    return [
      ...(state === 'silent' ? [{ by: 'silent', text: silence } as const] : []),
      ...obstaclesOf(placement, session, groups).map((by) => {
        return { by, text: obstacleText(by, placement, session, groups) };
      }),
      ...(isBeside ? [{ by: 'level', text: beside } as const] : []),
      ...(taker !== null && level > 0 ? [{ by: 'outranked', text: outranked } as const] : []),
    ];
  };
}

function obstacleText(
  by: Obstacle,
  { definitionFormat, target = {}, user }: Placement,
  node: NodeFacts,
  groups: PlaceFacts['groups'],
): string {
  switch (by) {
    case 'level':
      return `its level is ${node.level}: it takes no work`;
    case 'draining':
      return node.isCordoned ? 'it is cordoned' : 'it is draining';
    case 'format': {
      const { definitionFormat: known } = node;
      return `it knows definitions up to format ${known}, and the job has ${definitionFormat}`;
    }
    case 'target': {
      const excluded = namedText(exclusionsOf(target, node, groups), 'not-on');
      if (excluded !== '') return excluded;
      const missing = (target.groups ?? []).filter((group) => !groups.has(group));
      const none = missing.length === 0 ? '' : `, and there is no group ${listed(missing)}`;
      return `the job is for ${namedText(target, 'on')}${none}`;
    }
    case 'user':
      return `the user ${user} is not allowed there`;
  }
}

function namedText(target: Pick<Target, 'nodes' | 'labels' | 'groups'>, flag: string): string {
  const { nodes = [], labels = [], groups = [] } = target;
  const lists = Object.entries({ node: nodes, label: labels, group: groups });
  return lists
    .flatMap(([kind, names]) => (names.length === 0 ? [] : [`${flag}-${kind} ${listed(names)}`]))
    .join(' or ');
}
