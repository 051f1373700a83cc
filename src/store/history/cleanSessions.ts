import type { HistoryKeep } from '../../domain/commit/historyKeep.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, only, rowOf, text } from '../rows/row.ts';
import { transactOrThrow } from '../transaction/transact.ts';

const sessionsMax = 100;

/**
 * Deletes ended sessions that are older than the history and that no run and no slot names, and
 * notes, as `sessions_from`, from when on every session is there: who was eligible before is not
 * known any more. Launch ids begin with their session's, so the key of launch ids finds its runs.
 * @param untilMs those reaped until then are done with; null: it begins anew
 * @returns `untilMs` for the next step; null: there are no more
 */
export async function cleanSessions(
  channel: Channel,
  keep: HistoryKeep,
  untilMs: number | null,
): Promise<{ readonly untilMs: number | null; readonly rows: number }> {
  const old = [new Date(untilMs ?? 0), keep.days, sessionsMax];
  const candidates = await channel.rows(oldSession, selectOld, old);
  const gone: OldSession[] = [];
  for (const candidate of candidates) {
    const { sessionId: id } = candidate;
    const [named] = await channel.rows(only(integer), selectNaming, [`${id}:`, `${id};`, id]);
    if (named === undefined) gone.push(candidate);
  }
  if (gone.length > 0) await remove(channel, gone);
  const last = candidates.length === sessionsMax ? candidates.at(-1) : undefined;
  return { untilMs: last?.reapedMs ?? null, rows: gone.length };
}

function remove(channel: Channel, gone: readonly OldSession[]): Promise<void> {
  return transactOrThrow(channel, 'cleanSessions', async (connection) => {
    await connection.change(deleteSessions, [gone.map(({ sessionId }) => sessionId)]);
    await connection.change(deleteActivity, [gone.map(({ sessionId }) => sessionId)]);
    const lastMs = Math.max(...gone.map(({ endedMs }) => endedMs));
    const from = new Date(lastMs + 1).toISOString();
    await connection.change(noteFrom, [from, from, from]);
  });
}

type OldSession = ReturnType<typeof oldSession>;
const oldSession = rowOf({ sessionId: text, reapedMs: instantMs, endedMs: instantMs });
const selectOld = `/* cleanSessions */ SELECT session_id, reaped_at AS reaped, ended_at AS ended
  FROM session FORCE INDEX (session_by_reaped)
  WHERE reaped_at > ? AND reaped_at < NOW(3) - INTERVAL ? DAY AND state = 'ended'
  ORDER BY reaped_at LIMIT ?`;
const selectNaming = `/* cleanSessions named */ (SELECT 1 FROM run
    WHERE launch_id > ? AND launch_id < ? LIMIT 1)
  UNION ALL (SELECT 1 FROM slot WHERE session_id = ? LIMIT 1)`;
const deleteSessions = `/* cleanSessions delete */ DELETE FROM session
  WHERE session_id IN (?) AND state = 'ended'`;
const deleteActivity = `/* cleanSessions activity */ DELETE FROM node_activity
  WHERE session_id IN (?)`;
const noteFrom = `/* cleanSessions note */ INSERT INTO note (note_name, note_value)
  VALUES ('sessions_from', ?)
  ON DUPLICATE KEY UPDATE note_value = IF(note_value < ?, ?, note_value)`;
