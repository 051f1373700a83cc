import type {
  NotificationFacts,
  NotificationLine,
  NotificationMessage,
} from '../../../domain/notifications/notification.ts';
import { digestId } from '../../../domain/notifications/notificationId.ts';
import type { Channel } from '../../connection/channel.ts';
import { transact } from '../../transaction/transact.ts';

/** Of the others it only has the number. */
const linesMax = 50;

/**
 * Puts notifications that were never tried together into one, in one transaction: it stands
 * for them from then on, whatever becomes of this node. Null when there are none, when one of
 * them is no longer waiting, or when nobody knows; the next look shows.
 */
export async function collapseNotifications(
  channel: Channel,
  target: string,
  messages: readonly NotificationMessage[],
): Promise<NotificationMessage | null> {
  if (messages.length === 0) return null;
  const facts = digestFacts(messages);
  const id = digestId(
    target,
    messages.map((message) => message.id),
  );
  const outcome = await transact<number>(channel, 'collapseNotifications', async (connection) => {
    const header = await connection.write(insertDigest, [id, target, JSON.stringify(facts)]);
    const notificationIds = messages.map(({ notificationId }) => notificationId);
    const affected = await connection.change(markDigested, [notificationIds]);
    // Rolled back: an operator has taken some of them away meanwhile.
    if (affected !== messages.length) throw new ChangedError();
    return { commit: header.insertId };
  }).catch((error: unknown) => {
    if (error instanceof ChangedError) return null;
    throw error;
  });
  if (outcome === null || outcome.outcome !== 'committed') return null;
  const createdMs = Math.min(...messages.map((message) => message.createdMs));
  return { notificationId: outcome.value, id, event: 'digest', facts, tries: 0, createdMs };
}

class ChangedError extends Error {}

function digestFacts(messages: readonly NotificationMessage[]): NotificationFacts {
  const counts: Record<string, number> = {};
  for (const { event } of messages) counts[event] = (counts[event] ?? 0) + 1;
  const first = messages.slice(0, linesMax).map(({ id, event, facts }): NotificationLine => {
    const { job, node, launchId, result } = facts;
    return {
      id,
      event,
      ...(job === undefined ? {} : { job }),
      ...(node === undefined ? {} : { node }),
      ...(launchId === undefined ? {} : { launchId }),
      ...(result === undefined ? {} : { result }),
    };
  });
  return { counts, first };
}

const insertDigest = `/* collapseNotifications */ INSERT INTO notice (stable_id, target_name, event,
    facts, created_at, since_at, due_at)
  VALUES (?, ?, 'digest', ?, NOW(3), NOW(3), NOW(3))`;
const markDigested = `/* collapseNotifications mark */ UPDATE notice
  SET state = 'digested', ended_at = NOW(3)
  WHERE notice_id IN (?) AND state = 'waiting' AND tries = 0`;
