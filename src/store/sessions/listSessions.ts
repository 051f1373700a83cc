import type { SessionsLook } from '../../domain/commit/nodeStore.ts';
import type { Channel } from '../connection/channel.ts';
import { decimal, flag, integer, nullable, rowOf } from '../rows/row.ts';
import { nodeColumns, selectNode } from '../targeting/readLiveNodes.ts';

/**
 * The few sessions that matter: live ones, and ended ones that are not reaped. Costs one statement.
 */
export async function listSessions(channel: Channel): Promise<SessionsLook> {
  const sessions = await channel.rows(sessionSeen, selectSessions);
  const [first] = sessions;
  return {
    sessions,
    databaseNowMs: first?.databaseNowMs ?? null,
    targetingVersion: first?.targetingVersion ?? 0,
  };
}

/** Says that the node is about to leave, so that its level holds nobody back any more. */
export function markDraining(channel: Channel, sessionId: string): Promise<number> {
  return channel.change(drainStatement, [sessionId]);
}

/** Says that no slot of an ended session is left, so that reapers need not look at it again. */
export function markReaped(channel: Channel, sessionId: string): Promise<number> {
  return channel.change(markStatement, [sessionId]);
}

const sessionSeen = rowOf({
  ...nodeColumns,
  isLive: flag,
  beats: integer,
  ttlMs: integer,
  databaseNowMs: decimal,
  targetingVersion: nullable(integer),
});
const selectSessions = `/* listSessions */ SELECT ${selectNode}, state = 'live' AS is_live, beats,
    ttl_ms, UNIX_TIMESTAMP(NOW(6)) * 1000 AS database_now_ms,
    (SELECT version FROM targeting_version WHERE version_id = 1) AS targeting_version
  FROM session WHERE reaped_at IS NULL`;
const drainStatement = `/* markDraining */ UPDATE session SET draining = 1
  WHERE session_id = ? AND state = 'live'`;
const markStatement = `/* markReaped */ UPDATE session SET reaped_at = NOW(3)
  WHERE session_id = ? AND state = 'ended' AND reaped_at IS NULL`;
