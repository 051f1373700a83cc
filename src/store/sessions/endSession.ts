import type { Outcome } from '../../domain/errors/outcome.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import type { Channel } from '../connection/channel.ts';
import type { NotificationCache } from '../notifications/notificationCache.ts';
import { notifyLostNode } from '../notifications/notifyLostNode.ts';
import { takeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';

/**
 * Marks a session `ended`. A reaper names the value of `beats` that stood still: a session that has
 * renewed since is refused. A node that ends by itself, and one that has its guardian's word that
 * nothing of the session lives, name none.
 * @param notifications tells that the node was lost; null: it has left by itself
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
    const affected = await connection.change(end, [why, sessionId, beatsSeen, beatsSeen]);
    if (affected === 1 && notifications !== null)
      await notifyLostNode(connection, notifications, sessionId, why);
    return affected === 1 ? { commit: null } : { refuse: 'the session is not live, or renewed' };
  });
}

const end = `/* endSession */ UPDATE session
  SET state = 'ended', ended_at = NOW(3), ended_why = ?
  WHERE session_id = ? AND state = 'live' AND (? IS NULL OR beats = ?)`;
