import type { Channel } from '../connection/channel.ts';
import { flag, instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { readNow } from '../transaction/readNow.ts';

const sessionEvent = rowOf({
  sessionId: text,
  node: text,
  host: text,
  version: text,
  isDraining: flag,
  ttlMs: integer,
  startedMs: instantMs,
  endedMs: nullable(instantMs),
  endedWhy: nullable(text),
  /** The database's clock. */
  nowMs: instantMs,
});
/** A session as events tell it. */
export type SessionEvent = Omit<ReturnType<typeof sessionEvent>, 'nowMs'>;

/**
 * The sessions that are live or not reaped, and those reaped since: everything that may have come
 * or gone since then. A session is reaped after its end.
 * @param sinceMs by the database's clock
 */
export async function readSessionEvents(
  channel: Channel,
  sinceMs: number,
): Promise<{ readonly sessions: SessionEvent[]; readonly nowMs: number }> {
  const sessions = await channel.rows(sessionEvent, selectSessions, [new Date(sinceMs)]);
  const nowMs = sessions[0]?.nowMs ?? (await readNow(channel));
  return { sessions, nowMs };
}

const selectSessions = `/* readSessionEvents */ SELECT session_id, node_name AS node, host,
    version, draining AS is_draining, ttl_ms, started_at AS started, ended_at AS ended, ended_why,
    NOW(3) AS now
  FROM session WHERE reaped_at IS NULL OR reaped_at >= ?
  ORDER BY started_at, session_id`;
