import type { HistoryKeep } from '../../domain/historyKeep.ts';
import type { Channel, Row } from '../channel.ts';
import { transact } from '../transact.ts';

const sessionsMax = 100;

/**
 * Takes ended sessions away that are older than the history and that no run and no slot names, and
 * notes, as `sessions_from`, from when on every session is there: who was eligible before can no
 * longer be told. Launch ids begin with their session's, so the key of launch ids finds its runs.
 * @param until those reaped until then are done with; null: it begins anew
 * @returns `until` for the next step; null: there are no more
 */
export async function cleanSessions(
  channel: Channel,
  keep: HistoryKeep,
  until: Date | null,
): Promise<{ readonly until: Date | null; readonly rows: number }> {
  const after = until ?? new Date(0);
  const candidates = await channel.query<Row[]>(selectOld, [after, keep.days, sessionsMax]);
  const gone: Row[] = [];
  for (const candidate of candidates) {
    const id = candidate.session_id as string;
    const [named] = await channel.query<Row[]>(selectNaming, [`${id}:`, `${id};`, id]);
    if (named === undefined) gone.push(candidate);
  }
  if (gone.length > 0) await remove(channel, gone);
  const last = candidates.at(-1);
  const isMore = candidates.length === sessionsMax;
  return { until: isMore ? (last?.reaped_at as Date) : null, rows: gone.length };
}

async function remove(channel: Channel, gone: readonly Row[]): Promise<void> {
  const outcome = await transact<null>(channel, 'cleanSessions', async (connection) => {
    await connection.change(deleteSessions, [gone.map((row) => row.session_id as string)]);
    const lastMs = Math.max(...gone.map((row) => (row.ended_at as Date).getTime()));
    const from = new Date(lastMs + 1).toISOString();
    await connection.change(noteFrom, [from, from, from]);
    return { commit: null };
  });
  if (outcome.outcome === 'unknown') throw outcome.cause;
}

const selectOld = `/* cleanSessions */ SELECT session_id, reaped_at, ended_at
  FROM session FORCE INDEX (session_by_reaped)
  WHERE reaped_at > ? AND reaped_at < NOW(3) - INTERVAL ? DAY AND state = 'ended'
  ORDER BY reaped_at LIMIT ?`;
const selectNaming = `/* cleanSessions named */ (SELECT 1 FROM run
    WHERE launch_id > ? AND launch_id < ? LIMIT 1)
  UNION ALL (SELECT 1 FROM slot WHERE session_id = ? LIMIT 1)`;
const deleteSessions = `/* cleanSessions delete */ DELETE FROM session
  WHERE session_id IN (?) AND state = 'ended'`;
const noteFrom = `/* cleanSessions note */ INSERT INTO note (note_name, note_value)
  VALUES ('sessions_from', ?)
  ON DUPLICATE KEY UPDATE note_value = IF(note_value < ?, ?, note_value)`;
