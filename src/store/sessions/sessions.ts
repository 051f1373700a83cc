import type {
  SessionIntroduction,
  SessionSeen,
  SessionsLook,
} from '../../domain/commit/nodeStore.ts';
import { committed, type Outcome, refused, unknown } from '../../domain/errors/outcome.ts';
import { definitionFormat } from '../../domain/job/edit/definitionFormat.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import { plainNode } from '../../domain/targeting/nodeFacts.ts';
import { isActivityWatched } from '../activity/watchActivity.ts';
import type { Channel } from '../connection/channel.ts';
import type { NotificationCache } from '../notifications/notificationCache.ts';
import { notifyLostNode } from '../notifications/notifyLost.ts';
import { decimal, flag, integer, nullable, only, rowOf, text } from '../rows/row.ts';
import { readMarker, restoredFault } from '../schema/restoreMarker.ts';
import { nodeColumns, selectNode } from '../targeting/readLiveNodes.ts';
import { bumpSessionsVersion, sessionsVersion, targetingVersion } from '../targeting/versions.ts';
import { takeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';

/**
 * Makes the session `live`, under the lock of session management. Refused while another live
 * session has the node's name; the reason is that session's id, so that the caller can watch it.
 * @throws OperatorError `restored_copy`, `restore_unfinished` (78): its cursors are of the past.
 */
export function joinSession(
  channel: Channel,
  introduction: SessionIntroduction,
): Promise<Outcome<null>> {
  return transact(channel, 'joinSession', async (connection) => {
    await takeStripes(connection, [sessionLockId]);
    const marker = await readMarker(connection);
    if (marker !== null) throw restoredFault(marker);
    const node = { ...plainNode, ...introduction };
    const { sessionId, nodeName } = node;
    const outputPlaces = node.outputPlaces ? JSON.stringify(node.outputPlaces) : null;
    const users = node.users ? JSON.stringify(node.users) : null;
    const [rival] = await connection.rows(only(text), readRival, [nodeName, sessionId]);
    if (rival !== undefined) return { refuse: rival };
    await connection.change(insertSession, [
      ...[sessionId, nodeName, node.ttlMs, node.host, node.processId, node.guardianProcessId],
      ...[node.version, node.timezoneData, node.capacity, node.concurrency, node.level],
      ...[JSON.stringify(node.labels), definitionFormat, outputPlaces, users, nodeName, nodeName],
    ]);
    // A session id whose join was acknowledged to nobody may have been reaped since.
    const [state] = await connection.rows(only(text), readOwn, [sessionId]);
    if (state !== 'live') throw new Error('the session ended before it was joined');
    await bumpSessionsVersion(connection);
    return { commit: null };
  });
}

const readOwn = '/* joinSession own */ SELECT state FROM session WHERE session_id = ?';
const readRival = `/* joinSession rival */ SELECT session_id FROM session
  WHERE node_name = ? AND state = 'live' AND session_id <> ? LIMIT 1`;
/** Whether an operator has cordoned the node, see `cordonNode`. */
const isHeld = '(SELECT COUNT(*) FROM node_hold WHERE node_name = ? AND held_until IS NULL)';
/** IGNORE: a join whose reply was lost is tried again with the same id. */
const insertSession = `/* joinSession */ INSERT IGNORE INTO session (session_id, node_name, ttl_ms,
    host, process_id, guardian_process_id, version, timezone_data, capacity, concurrency, level,
    labels, definition_format, output_places, users, draining, cordoned, keeps_failures, state,
    started_at, renewed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${isHeld}, ${isHeld}, 1, 'live', NOW(3),
    NOW(3))`;

/**
 * Marks a session `ended`. A reaper names the value of `beats` that stood still: a session that has
 * renewed since is refused. A node that ends by itself, and one that has its guardian's word that
 * nothing of the session lives, name none.
 * @param notifications where to notify that the node was lost; null: it has left by itself
 */
export function endSession(
  channel: Channel,
  sessionId: string,
  why: string,
  beatsSeen: number | null = null,
  notifications: NotificationCache | null = null,
): Promise<Outcome<null>> {
  return transact(channel, 'endSession', async (connection) => {
    await takeStripes(connection, [sessionLockId]);
    const kept = why.slice(0, whyCharactersMax);
    const affected = await connection.change(end, [kept, sessionId, beatsSeen, beatsSeen]);
    if (affected === 1 && notifications !== null)
      await notifyLostNode(connection, notifications, sessionId, why);
    if (affected !== 1) return { refuse: 'the session is not live, or renewed' };
    await bumpSessionsVersion(connection);
    return { commit: null };
  });
}

const whyCharactersMax = 255;
const end = `/* endSession */ UPDATE session
  SET state = 'ended', ended_at = NOW(3), ended_why = ?
  WHERE session_id = ? AND state = 'live' AND (? IS NULL OR beats = ?)`;

/**
 * One heartbeat: writes the own row by primary key and waits for nobody. `beats` may lie anywhere
 * from the last acknowledged number to the one before the new, since the outcome of those between
 * is not known. No row: fenced (reaped, or the database was restored from the past), so refused.
 */
export async function renewSession(
  channel: Channel,
  sessionId: string,
  ackedBeats: number,
  beats: number,
): Promise<Outcome<null>> {
  try {
    const affected = await channel.change(renew, [beats, sessionId, ackedBeats, beats - 1]);
    if (affected > 1) throw new Error('renewSession changed more than one row');
    return affected === 1 ? committed(null) : refused('the session is not live any more');
  } catch (error) {
    return unknown(error as Error);
  }
}

const renew = `/* renewSession */ UPDATE session SET beats = ?, renewed_at = NOW(3)
  WHERE session_id = ? AND state = 'live' AND beats BETWEEN ? AND ?`;

/**
 * The few sessions that matter: live ones, and ended ones that are not reaped. Costs one statement.
 * @param only of these ids; absent: all
 */
export async function listSessions(
  channel: Channel,
  only?: readonly string[],
): Promise<SessionsLook> {
  const rows =
    only === undefined
      ? await channel.rows(sessionSeen, selectSessions)
      : await channel.rows(sessionSeen, `${selectSessions} AND session_id IN (?)`, [only]);
  const [first] = rows;
  return {
    sessions: rows.map(sessionOf),
    databaseNowMs: first?.databaseNowMs ?? null,
    isActivityWatched: first?.isActivityWatched === 1,
    targetingVersion: first?.targetingVersion ?? 0,
    sessionsVersion: first?.sessionsVersion ?? 0,
  };
}

function sessionOf(row: ReturnType<typeof sessionSeen>): SessionSeen {
  const {
    databaseNowMs: _,
    isActivityWatched: __,
    sessionsVersion: ___,
    targetingVersion: ____,
    ...seen
  } = row;
  return seen;
}

/** Says that the node is about to leave, so that its level holds nobody back any more. */
export async function markDraining(channel: Channel, sessionId: string): Promise<number> {
  const changed = await channel.change(drainStatement, [sessionId]);
  await bumpSessionsVersion(channel);
  return changed;
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
  sessionsVersion: nullable(integer),
  isActivityWatched: nullable(integer),
});
const selectSessions = `/* listSessions */ SELECT ${selectNode}, state = 'live' AS is_live, beats,
    ttl_ms, UNIX_TIMESTAMP(NOW(6)) * 1000 AS database_now_ms,
    ${targetingVersion} AS targeting_version, ${sessionsVersion} AS sessions_version,
    ${isActivityWatched} AS is_activity_watched
  FROM session WHERE reaped_at IS NULL`;
const drainStatement = `/* markDraining */ UPDATE session SET draining = 1, cordoned = 0
  WHERE session_id = ? AND state = 'live'`;
const markStatement = `/* markReaped */ UPDATE session SET reaped_at = NOW(3)
  WHERE session_id = ? AND state = 'ended' AND reaped_at IS NULL`;
