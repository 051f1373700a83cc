import { reasons } from '../../domain/policies/reasons.ts';
import { type PastSession, whyMissed } from '../../domain/policies/whyMissed.ts';
import type { TickRange } from '../../domain/tickSource.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { liveNodeOf } from '../targeting/readLiveNodes.ts';
import { readTargeting } from '../targeting/targetingCache.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * Writes into ranges of ticks that nobody took why that was: before, they say that no node was
 * there. Asks the database only if there are such ranges.
 * @param passed slots, with `node_name` and `target_id`, and the ranges that their cursors pass
 * @param node what it knows of targeting, and of limits (see `leaveFullOut`); absent: it is none
 */
export async function explainMissed(
  connection: ChannelConnection,
  passed: readonly { readonly row: Row; readonly ranges: readonly TickRange[] }[],
  node?: Pick<SlotContext, 'fullAt' | 'targeting'>,
): Promise<void> {
  const missed = passed.flatMap(({ row, ranges }) =>
    ranges.filter(({ reason }) => reason === reasons.nobodyThere).map((range) => ({ row, range })),
  );
  if (missed.length === 0) return;
  const earliestMs = Math.min(...missed.map(({ range }) => range.fromMs));
  const sessions = await connection.query<Row[]>(selectSessions, [new Date(earliestMs)]);
  const targeting = await (node?.targeting.current(connection) ?? readTargeting(connection));
  const fullAt = node?.fullAt ?? new Map<string, number>();
  const past = { sessions: sessions.map(pastSessionOf), targeting, fullAt };
  for (const { row, range } of missed) {
    const { node_name: nodeName, target_id: targetId } = row as {
      node_name: string;
      target_id: number;
    };
    const { fromMs, untilMs } = range;
    range.reason = whyMissed({ nodeName, targetId, fromMs, untilMs }, past);
  }
}

function pastSessionOf(row: Row): PastSession {
  return {
    ...liveNodeOf(row),
    fromMs: (row.started_at as Date).getTime(),
    untilMs: (row.until_at as Date).getTime(),
  };
}

/** The index has those that have not been reaped first. */
const selectSessions = `/* explainMissed */ SELECT session_id, node_name, level, labels,
    definition_format, draining, started_at,
    IF(state = 'live' AND renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND >= NOW(3), NOW(3),
      renewed_at) AS until_at
  FROM session WHERE reaped_at IS NULL OR reaped_at >= ?`;
