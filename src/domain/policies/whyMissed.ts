import { type Reason, reasons } from '../reasons/reasons.ts';
import { isByDatabase } from '../reasons/sessionEnd.ts';
import { couldTake } from '../targeting/mayTake.ts';
import type { NodeFacts } from '../targeting/nodeFacts.ts';
import type { Targeting } from '../targeting/takeable.ts';
import type { Span } from '../time/outages.ts';

/** The life of a node process, up to its last sign of life. */
interface PastSession extends NodeFacts, Span {
  /** Null or absent: it has not ended, or nobody noted why. */
  readonly endedWhy?: string | null;
  /** When it was last cordoned; null or absent: never. */
  readonly heldFromMs?: number | null;
  readonly heldUntilMs?: number | null;
}

/** Whose ticks were missed, from the first of them to the last. */
interface MissedTicks extends Span {
  /** '': any node would have run them. */
  readonly nodeName: string;
  readonly targetId: number;
}

/** What is known of the time in which ticks were missed. */
interface MissedPast {
  readonly sessions: readonly PastSession[];
  readonly targeting: Pick<Targeting, 'groups' | 'placements'>;
  /** When groups of jobs were last seen with no room under their limit, by their names. */
  readonly fullAt: ReadonlyMap<string, number>;
  /** When the node that records it had no answer from the database; absent: it is not a node. */
  readonly outages?: readonly Span[];
}

/**
 * Why nobody took ticks of a slot that was free. A node that may run them and was there is held off
 * by its database, by the limit of the group, or by what is not recorded: its capacity.
 */
export function whyMissed(missed: MissedTicks, past: MissedPast): Reason {
  const { nodeName, targetId, fromMs, untilMs } = missed;
  const { groups, placements } = past.targeting;
  const { outages = [] } = past;
  const meant = past.sessions.filter((session) => nodeName === '' || session.nodeName === nodeName);
  const there = meant.filter(
    (session) => session.fromMs + settlingMs <= untilMs && session.untilMs >= fromMs,
  );
  if (there.length === 0) {
    const away = [...outages, ...outagesBetween(meant)];
    return fallInto(missed, away) ? reasons.databaseAway : reasons.nobodyThere;
  }
  const placement = placements.get(targetId);
  const isEligible = (session: PastSession): boolean =>
    placement !== undefined &&
    (nodeName !== '' || session.level > 0) &&
    couldTake(placement, { ...session, isDraining: false }, groups);
  const eligible = there.filter(isEligible);
  // Whoever had no answer then was there, if only for a moment before.
  const isAway = fallInto(missed, outages);
  if (eligible.length === 0) return isAway ? reasons.databaseAway : reasons.noEligibleNode;
  if (eligible.every((session) => wasHeld(session, missed))) return reasons.cordoned;
  if (isAway) return reasons.databaseAway;
  const fullAtMs = past.fullAt.get(placement?.jobGroup ?? '') ?? Number.NEGATIVE_INFINITY;
  return fullAtMs >= fromMs ? reasons.limitReached : reasons.notTaken;
}

/** From the end of nodes that had no answer from the database until they were there again. */
function outagesBetween(sessions: readonly PastSession[]): Span[] {
  return sessions
    .filter(({ endedWhy }) => isByDatabase(endedWhy ?? ''))
    .map(({ nodeName, untilMs: fromMs }) => {
      const next = sessions.filter((each) => each.nodeName === nodeName && each.fromMs > fromMs);
      return { fromMs, untilMs: Math.min(...next.map((each) => each.fromMs)) };
    });
}

/**
 * Whether all of the ticks came in one of the outages, so shortly before it that their claim met
 * it, or while the nodes took over after it.
 */
function fallInto({ fromMs, untilMs }: Span, outages: readonly Span[]): boolean {
  return outages.some(
    (away) => away.fromMs - claimingMs <= fromMs && untilMs <= away.untilMs + settlingMs,
  );
}

/** Whether it was cordoned for as long as it was there and the ticks were missed. */
function wasHeld(session: PastSession, { fromMs, untilMs }: MissedTicks): boolean {
  const { heldFromMs, heldUntilMs } = session;
  if (typeof heldFromMs !== 'number' || typeof heldUntilMs !== 'number') return false;
  const isFromThen = heldFromMs <= Math.max(fromMs, session.fromMs);
  return isFromThen && heldUntilMs + settlingMs >= Math.min(untilMs, session.untilMs);
}

/** A node that has just come first takes over from those before it. */
const settlingMs = 10_000;
/** A claim takes as long on a busy machine, and so does noticing that the database is away. */
const claimingMs = 2_000;
