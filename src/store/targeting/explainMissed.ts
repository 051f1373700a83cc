import { whyMissed } from '../../domain/policies/whyMissed.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { TickRange } from '../../domain/run/tickSource.ts';
import type { Outages } from '../../domain/time/outages.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { each, instantMs, nullable, rowOf, text } from '../rows/row.ts';
import { nodeColumns, selectNode } from './readLiveNodes.ts';
import { readTargeting, type TargetingCache } from './targetingCache.ts';

/**
 * Writes into ranges of ticks that nobody took why that was: before, they say that no node was
 * there. Reads only if there are such ranges.
 * @param passed slots, and the ranges that their cursors pass
 * @param node what the caller knows of targeting, of limits and of outages of the database
 */
export async function explainMissed(
  connection: ChannelConnection,
  passed: readonly {
    readonly slot: { readonly nodeName: string; readonly targetId: number };
    readonly ranges: readonly TickRange[];
  }[],
  node?: MissedBy,
): Promise<void> {
  const missed = passed.flatMap(({ slot, ranges }) =>
    ranges.filter(({ reason }) => reason === reasons.nobodyThere).map((range) => ({ slot, range })),
  );
  if (missed.length === 0) return;
  const earliestMs = Math.min(...missed.map(({ range }) => range.fromMs));
  const sessions = await connection.rows(pastSession, selectSessions, [new Date(earliestMs)]);
  const targeting = await (node?.targeting.current(connection) ?? readTargeting(connection));
  const fullAt = node?.fullAt ?? new Map<string, number>();
  const past = { sessions, targeting, fullAt, outages: node?.outages.spans ?? [] };
  for (const { slot, range } of missed) {
    const { nodeName, targetId } = slot;
    const { fromMs, untilMs } = range;
    range.reason = whyMissed({ nodeName, targetId, fromMs, untilMs }, past);
  }
}

/** What a node remembers that tells why. */
interface MissedBy {
  readonly targeting: TargetingCache;
  readonly fullAt: Map<string, number>;
  readonly outages: Outages;
}

/** Sessions that may have been there from an instant on. */
export const pastColumns = {
  ...nodeColumns,
  ...each(instantMs, 'fromMs', 'untilMs'),
  ...each(nullable(instantMs), 'heldFromMs', 'heldUntilMs'),
  endedWhy: nullable(text),
};
const pastSession = rowOf(pastColumns);
export const selectPast = `${selectNode}, started_at AS 'from',
    IF(state = 'live' AND renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND >= NOW(3), NOW(3),
      renewed_at) AS until,
    ended_why, held_since AS held_from,
    IF(held_since IS NULL, NULL, IFNULL(held_until, NOW(3))) AS held_until`;
/** What `selectPast` reads, with the last time in which the node was cordoned. */
export const pastSessions =
  'session LEFT JOIN node_hold ON node_hold.node_name = session.node_name';
/** The index has those that have not been reaped first. */
export const wasThereSince = 'reaped_at IS NULL OR reaped_at >= ?';
const selectSessions = `/* explainMissed */ SELECT ${selectPast}
  FROM ${pastSessions} WHERE ${wasThereSince}`;
