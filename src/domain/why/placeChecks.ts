import { reasons } from '../reasons/reasons.ts';
import { isSilent } from '../targeting/nodeFacts.ts';
import { counted } from '../text/counted.ts';
import { listed } from '../text/listed.ts';
import { shellWord } from '../text/quoteForShell.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import { isLimitReached, liveNames, reasonNow } from './forecastClaims.ts';
import { type JudgedNode, roomOf, takersOf } from './judgeNodes.ts';
import { allowHint, userCheck } from './userCheck.ts';
import type { WhyFacts } from './whyFacts.ts';

/** Who may run it, whether there is room, and whether they are in contact. */
export function placeChecks(
  facts: WhyFacts,
  nodes: readonly JudgedNode[],
  isDue: boolean,
): Check[] {
  return [
    clusterCheck(facts),
    nodesCheck(facts, nodes),
    limitCheck(facts, isDue),
    capacityCheck(facts, nodes, isDue),
    userCheck(facts, nodes),
    leaseCheck(facts),
    clockCheck(facts),
    facts.whyClosed === null
      ? passed('database', 'The database answers.')
      : failed('database', `No node may join: ${facts.whyClosed}`, {
          hint: 'statecron restore --confirm',
        }),
  ];
}

const link = '/api/v1/cluster';

function clusterCheck(facts: WhyFacts): Check {
  const names = liveNames(facts);
  if (names.length > 0) return passed('cluster', `Live: ${listed([...names].sort())}.`, { link });
  const text = 'No node is live: its ticks wait, and are run or recorded as missed once one is.';
  return failed('cluster', hasTicks(facts) ? ofTicks(facts, text) : 'No node is live.', {
    ...{ reason: reasonNow(facts), link },
    hint: 'statecron node (as a service: systemctl start statecron)',
  });
}

function nodesCheck(facts: WhyFacts, nodes: readonly JudgedNode[]): Check {
  const takers = takersOf(nodes);
  if (takers.length > 0) {
    const [names, may] = [listed(takers.map(({ node }) => node)), 'may run it'];
    return passed(
      'nodes',
      facts.place.isEveryNode ? `Each of these runs it: ${names}.` : `${names} ${may}.`,
      { link },
    );
  }
  const live = liveNames(facts).length;
  if (live === 0) return unknown('nodes', 'No node is live that could be looked at.');
  if (facts.place.isCut) return unknown('nodes', 'None of those looked at may run it.', { link });
  const text = hasTicks(facts) ? ofTicks(facts, waitForNode) : 'No live node may run it.';
  return failed('nodes', `${text} ${whatKeepsThem(nodes)}`, {
    ...{ reason: reasonNow(facts), link, hint: hintOf(facts, nodes) },
  });
}

const waitForNode =
  'No live node may run it: its ticks wait, and are run or recorded as missed once one may.';

/** Those of an observed job are never run. */
function ofTicks({ job }: WhyFacts, text: string): string {
  return job.definition.observed ? text.replace('run or recorded as missed', 'recorded') : text;
}

/** Of the first live nodes, those that the same keeps together. */
function whatKeepsThem(nodes: readonly JudgedNode[]): string {
  const byCause = new Map<string, string[]>();
  for (const { keptBy, node, session } of nodes) {
    if (session?.state !== 'live') continue;
    const cause = keptBy.map(({ text }) => text).join(', ');
    byCause.set(cause, [...(byCause.get(cause) ?? []), node]);
  }
  const [first, second, ...more] = byCause;
  const shown = [first, second].flatMap((each) =>
    each === undefined ? [] : [`Not on ${listed(each[1])}: ${each[0]}`],
  );
  return `${shown.join('; ')}${more.length > 0 ? '; others for other reasons' : ''}.`;
}

/** The command that gives it a node, where nothing else keeps one from it. */
function hintOf({ place }: WhyFacts, nodes: readonly JudgedNode[]): string | null {
  const { user } = place.placement;
  const onlyBy = (by: string) =>
    nodes.filter(({ keptBy: [first, ...more] }) => first?.by === by && more.length === 0);
  const cordoned = onlyBy('draining').find(({ session }) => session?.isCordoned === true);
  if (cordoned !== undefined) return `statecron node uncordon ${shellWord(cordoned.node)}`;
  return user !== undefined && onlyBy('user').length > 0 ? allowHint(user) : null;
}

/** A node that takes a tick writes what became of those before it: until then no row has them. */
function hasTicks({ slots }: WhyFacts): boolean {
  return slots.some(({ cursorMs }) => cursorMs !== null);
}

function limitCheck({ place }: WhyFacts, isDue: boolean): Check {
  const { limit } = place;
  if (limit === null) return passed('group-limit', 'Its group of jobs has no limit.');
  const held = [...limit.held.values()].reduce((sum, each) => sum + each, 0);
  const full = `The group ${limit.group} has ${held} of ${counted(limit.launchesMax, 'launch')}`;
  const text = full.replace(/launchs$/, 'launches');
  const more = { link: '/api/v1/limits' };
  if (!isLimitReached(place)) return passed('group-limit', `${text}.`, more);
  return isDue
    ? failed('group-limit', `${text}.`, { ...more, reason: reasons.limitReached })
    : unknown('group-limit', `${text} now; ${roomLater}`, more);
}

function capacityCheck(
  { place, slots }: WhyFacts,
  nodes: readonly JudgedNode[],
  isDue: boolean,
): Check {
  const takers = takersOf(nodes);
  if (takers.length === 0) return unknown('capacity', 'No node may run it.', { link });
  const known = takers.filter(({ session }) => place.held.has(session?.sessionId ?? ''));
  const own = slots.filter(({ state }) => state === 'prepare');
  const full = known.filter((node) => {
    const held = place.held.get(node.session?.sessionId ?? '');
    const kept = roomOf(node, held);
    const isHolder = own.some(({ sessionId }) => sessionId === node.session?.sessionId);
    return kept.some(({ by }) => by === 'concurrency' || !isHolder);
  });
  const isFull = known.length === takers.length && full.length === known.length;
  if (!isFull) return passed('capacity', `${roomText(known.length - full.length)}.`, { link });
  const text = `Each node that may run it is full: ${listed(full.map(({ node }) => node))}`;
  return isDue
    ? failed('capacity', `${text}.`, { reason: reasons.notTaken, link })
    : unknown('capacity', `${text}; ${roomLater}`, { link });
}

const roomLater = 'whether there is room at the next tick is not known.';

function roomText(nodes: number): string {
  return nodes === 1
    ? '1 node that may run it has room'
    : `${nodes} nodes that may run it have room`;
}

function leaseCheck({ nowMs, place, slots }: WhyFacts): Check {
  const sessions = new Map(place.sessions.map((session) => [session.sessionId, session]));
  for (const { node, scheduledForMs, sessionId, state } of slots) {
    if (sessionId === null) continue;
    const session = sessions.get(sessionId);
    if (session === undefined ? place.isCut : session.state === 'live') continue;
    const tick = iso(scheduledForMs ?? nowMs);
    const text = `${node ?? 'A node'} has the run of ${tick}, and has lost its session.`;
    const lost = state === 'executing' ? reasons.lost(session?.endedWhy ?? null) : null;
    return failed('lease', text, { reason: lost, link });
  }
  const live = place.sessions.filter(({ state }) => state === 'live');
  const silent = live.filter(isSilent);
  if (silent.length > 0) {
    const names = listed(silent.map(({ nodeName }) => nodeName));
    const endsMs = Math.max(
      ...silent.map(({ renewedAgoMs, ttlMs }) => nowMs - renewedAgoMs + ttlMs),
    );
    const text =
      `Not renewed for half of its time to live: the session of ${names}. ` +
      `If it stays so, it ends at ${iso(endsMs)}.`;
    return unknown('lease', text, { link });
  }
  return live.length === 0
    ? unknown('lease', 'No node is live.', { link })
    : passed('lease', 'The live nodes renew their sessions.', { link });
}

function clockCheck({ clockAheadMs }: WhyFacts): Check {
  if (clockAheadMs === null) {
    return passed('clock', 'The clock of the database agrees with the one of this machine.');
  }
  const by = `${Math.round(Math.abs(clockAheadMs) / 1000)} s`;
  const where = clockAheadMs < 0 ? 'behind' : 'ahead of';
  const text = `The clock of the database, which says what is due, is ${by} ${where} this machine.`;
  return failed('clock', text, { hint: 'statecron doctor' });
}
