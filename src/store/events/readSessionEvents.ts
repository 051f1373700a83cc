import type { Channel, Row } from '../channel.ts';

/** A session as events tell it. */
export interface SessionEvent {
  readonly sessionId: string;
  readonly node: string;
  readonly host: string;
  readonly version: string;
  readonly isDraining: boolean;
  readonly ttlMs: number;
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly endedWhy: string | null;
}

/**
 * The sessions that are live or not reaped, and those reaped since: everything that may have come
 * or gone since then. A session is reaped after its end.
 * @param sinceMs by the database's clock
 */
export async function readSessionEvents(
  channel: Channel,
  sinceMs: number,
): Promise<{ readonly sessions: SessionEvent[]; readonly nowMs: number }> {
  const rows = await channel.query<Row[]>(selectSessions, [new Date(sinceMs)]);
  const [now] = rows.length > 0 ? rows : await channel.query<Row[]>(selectNow);
  const sessions = rows.map((row) => ({
    sessionId: row.session_id as string,
    node: row.node_name as string,
    host: row.host as string,
    version: row.version as string,
    isDraining: row.draining === 1,
    ttlMs: row.ttl_ms as number,
    startedMs: (row.started_at as Date).getTime(),
    endedMs: (row.ended_at as Date | null)?.getTime() ?? null,
    endedWhy: row.ended_why as string | null,
  }));
  if (now === undefined) throw new Error('readSessionEvents: the database answered no row');
  return { sessions, nowMs: (now.now_at as Date).getTime() };
}

const selectSessions = `/* readSessionEvents */ SELECT session_id, node_name, host, version,
    draining, ttl_ms, started_at, ended_at, ended_why, NOW(3) AS now_at
  FROM session WHERE reaped_at IS NULL OR reaped_at >= ?
  ORDER BY started_at, session_id`;
const selectNow = '/* readSessionEvents now */ SELECT NOW(3) AS now_at';
