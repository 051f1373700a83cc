import type {
  NoticeFacts,
  NoticeLine,
  NoticeMessage,
} from '../../../domain/notifications/notice.ts';
import { digestId } from '../../../domain/notifications/noticeId.ts';
import type { Channel } from '../../connection/channel.ts';
import { transact } from '../../transaction/transact.ts';

/** Of the others only the number is told. */
const linesMax = 50;

/**
 * Puts notices that were never tried together into one, in one transaction: what they told is told
 * by it from then on, whatever becomes of this node. Null when there are none, when one of them is
 * no longer waiting, or when nobody knows; the next look tells.
 */
export async function collapseNotices(
  channel: Channel,
  target: string,
  messages: readonly NoticeMessage[],
): Promise<NoticeMessage | null> {
  if (messages.length === 0) return null;
  const facts = digestFacts(messages);
  const id = digestId(
    target,
    messages.map((message) => message.id),
  );
  const outcome = await transact<number>(channel, 'collapseNotices', async (connection) => {
    const header = await connection.write(insertDigest, [id, target, JSON.stringify(facts)]);
    const noticeIds = messages.map(({ noticeId }) => noticeId);
    const affected = await connection.change(markDigested, [noticeIds]);
    // Rolled back: an operator has taken some of them away meanwhile.
    if (affected !== messages.length) throw new ChangedError();
    return { commit: header.insertId };
  }).catch((error: unknown) => {
    if (error instanceof ChangedError) return null;
    throw error;
  });
  if (outcome === null || outcome.outcome !== 'committed') return null;
  const createdMs = Math.min(...messages.map((message) => message.createdMs));
  return { noticeId: outcome.value, id, event: 'digest', facts, tries: 0, createdMs };
}

class ChangedError extends Error {}

function digestFacts(messages: readonly NoticeMessage[]): NoticeFacts {
  const counts: Record<string, number> = {};
  for (const { event } of messages) counts[event] = (counts[event] ?? 0) + 1;
  const first = messages.slice(0, linesMax).map(({ id, event, facts }): NoticeLine => {
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

const insertDigest = `/* collapseNotices */ INSERT INTO notice (stable_id, target_name, event,
    facts, created_at, since_at, due_at)
  VALUES (?, ?, 'digest', ?, NOW(3), NOW(3), NOW(3))`;
const markDigested = `/* collapseNotices mark */ UPDATE notice
  SET state = 'digested', ended_at = NOW(3)
  WHERE notice_id IN (?) AND state = 'waiting' AND tries = 0`;
