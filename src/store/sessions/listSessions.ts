import type { SessionsLook } from '../../domain/nodeStore.ts';
import type { Channel, Row } from '../channel.ts';
import { factsOf } from '../targeting/readLiveNodes.ts';

/**
 * The few sessions that matter: live ones, and ended ones that are not reaped. Costs one statement.
 */
export async function listSessions(channel: Channel): Promise<SessionsLook> {
  const rows = await channel.query<Row[]>(selectSessions);
  const sessions = rows.map((row) => ({
    sessionId: row.session_id as string,
    nodeName: row.node_name as string,
    isLive: row.state === 'live',
    beats: Number(row.beats),
    ttlMs: row.ttl_ms as number,
    ...factsOf(row),
  }));
  const first = rows[0];
  return {
    sessions,
    databaseNowMs: first === undefined ? null : Number(first.now_ms),
    targetingVersion: Number(first?.targeting_version ?? 0),
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

const selectSessions = `/* listSessions */ SELECT session_id, node_name, state, beats, ttl_ms,
    level, labels, definition_format, draining, UNIX_TIMESTAMP(NOW(6)) * 1000 AS now_ms,
    (SELECT version FROM targeting_version WHERE version_id = 1) AS targeting_version
  FROM session WHERE reaped_at IS NULL`;
const drainStatement = `/* markDraining */ UPDATE session SET draining = 1
  WHERE session_id = ? AND state = 'live'`;
const markStatement = `/* markReaped */ UPDATE session SET reaped_at = NOW(3)
  WHERE session_id = ? AND state = 'ended' AND reaped_at IS NULL`;
