import type { SessionIntroduction } from '../../domain/commit/nodeStore.ts';
import type { Outcome } from '../../domain/errors/outcome.ts';
import { definitionFormat } from '../../domain/job/edit/definitionFormat.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import { plainNode } from '../../domain/targeting/nodeFacts.ts';
import type { Channel } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { readMarker, restoredFault } from '../schema/restoreMarker.ts';
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
    const { sessionId, nodeName, level, labels } = { ...plainNode, ...introduction };
    const [rival] = await connection.rows(only(text), readRival, [nodeName, sessionId]);
    if (rival !== undefined) return { refuse: rival };
    await connection.change(insertSession, [
      sessionId,
      nodeName,
      introduction.ttlMs,
      introduction.host,
      introduction.processId,
      introduction.guardianProcessId,
      introduction.version,
      introduction.timezoneData,
      introduction.capacity,
      introduction.concurrency,
      level,
      JSON.stringify(labels),
      definitionFormat,
    ]);
    // A session id whose join was acknowledged to nobody may have been reaped since.
    const [state] = await connection.rows(only(text), readOwn, [sessionId]);
    if (state !== 'live') throw new Error('the session ended before it was joined');
    return { commit: null };
  });
}

const readOwn = '/* joinSession own */ SELECT state FROM session WHERE session_id = ?';
const readRival = `/* joinSession rival */ SELECT session_id FROM session
  WHERE node_name = ? AND state = 'live' AND session_id <> ? LIMIT 1`;
/** IGNORE: a join whose reply was lost is asked again with the same id. */
const insertSession = `/* joinSession */ INSERT IGNORE INTO session (session_id, node_name, ttl_ms,
    host, process_id, guardian_process_id, version, timezone_data, capacity, concurrency, level,
    labels, definition_format, state, started_at, renewed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'live', NOW(3), NOW(3))`;
