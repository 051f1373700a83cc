import type { SessionsLook } from '../../domain/nodeStore.ts';
import type { Channel, Row } from '../channel.ts';

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
  }));
  const first = rows[0];
  return { sessions, databaseNowMs: first === undefined ? null : Number(first.now_ms) };
}

/** Says that no slot of an ended session is left, so that reapers need not look at it again. */
export function markReaped(channel: Channel, sessionId: string): Promise<number> {
  return channel.change(markStatement, [sessionId]);
}

const selectSessions = `/* listSessions */ SELECT session_id, node_name, state, beats, ttl_ms,
    UNIX_TIMESTAMP(NOW(6)) * 1000 AS now_ms
  FROM session WHERE reaped_at IS NULL`;
const markStatement = `/* markReaped */ UPDATE session SET reaped_at = NOW(3)
  WHERE session_id = ? AND state = 'ended' AND reaped_at IS NULL`;
