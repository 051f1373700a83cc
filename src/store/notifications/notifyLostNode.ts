import { notificationsOfLostNode } from '../../domain/policies/decideNotifications.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { insertNotifications } from './insertNotifications.ts';
import type { NotificationCache } from './notificationCache.ts';

/** Tells that a node was lost, in the transaction that ends its session. */
export async function notifyLostNode(
  connection: ChannelConnection,
  notifications: NotificationCache,
  sessionId: string,
  why: string,
): Promise<void> {
  const told = notificationsOfLostNode(await notifications.rules(connection));
  if (told.length === 0) return;
  const [node] = await connection.rows(only(text), selectNode, [sessionId]);
  if (node === undefined) return;
  const facts = { node, sessionId, reason: why };
  await insertNotifications(
    connection,
    told.map((one) => ({ ...one, subject: sessionId, facts })),
  );
}

const selectNode = '/* notifyLostNode */ SELECT node_name FROM session WHERE session_id = ?';
