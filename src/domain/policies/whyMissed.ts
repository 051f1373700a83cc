import { type Reason, reasons } from '../reasons/reasons.ts';
import { couldTake } from '../targeting/mayTake.ts';
import type { NodeFacts } from '../targeting/nodeFacts.ts';
import type { Targeting } from '../targeting/takeable.ts';

/** The life of a node process, up to its last sign of life. */
interface PastSession extends NodeFacts {
  readonly fromMs: number;
  readonly untilMs: number;
  /** When it was last cordoned; null or absent: never. */
  readonly heldFromMs?: number | null;
  readonly heldUntilMs?: number | null;
}

/** Whose ticks were missed, from the first of them to the last. */
interface MissedTicks {
  /** '': any node would have run them. */
  readonly nodeName: string;
  readonly targetId: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What is known of the time in which ticks were missed. */
interface MissedPast {
  readonly sessions: readonly PastSession[];
  readonly targeting: Pick<Targeting, 'groups' | 'placements'>;
  /** When groups of jobs were last seen with no room under their limit, by their names. */
  readonly fullAt: ReadonlyMap<string, number>;
}

/**
 * Why nobody took ticks of a slot that was free. A node that may run them and was there is held off
 * by the limit of the group, or by what is not recorded: its capacity, its connection.
 */
export function whyMissed(missed: MissedTicks, past: MissedPast): Reason {
  const { nodeName, targetId, fromMs, untilMs } = missed;
  const { groups, placements } = past.targeting;
  const there = past.sessions.filter(
    (session) =>
      (nodeName === '' || session.nodeName === nodeName) &&
      session.fromMs + settlingMs <= untilMs &&
      session.untilMs >= fromMs,
  );
  if (there.length === 0) return reasons.nobodyThere;
  const placement = placements.get(targetId);
  const isEligible = (session: PastSession): boolean =>
    placement !== undefined &&
    (nodeName !== '' || session.level > 0) &&
    couldTake(placement, { ...session, isDraining: false }, groups);
  const eligible = there.filter(isEligible);
  if (eligible.length === 0) return reasons.noEligibleNode;
  if (eligible.every((session) => wasHeld(session, missed))) return reasons.cordoned;
  const fullAtMs = past.fullAt.get(placement?.jobGroup ?? '') ?? Number.NEGATIVE_INFINITY;
  return fullAtMs >= fromMs ? reasons.limitReached : reasons.notTaken;
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
