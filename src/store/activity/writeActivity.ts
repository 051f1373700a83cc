import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';
import type { Channel } from '../connection/channel.ts';

/** Keeps what the actors of a session do, in place of what was kept of it before. */
export async function writeActivity(
  channel: Channel,
  sessionId: string,
  activity: NodeActivity,
): Promise<void> {
  await channel.change(write, [sessionId, JSON.stringify(activity)]);
}

const write = `/* writeActivity */ INSERT INTO node_activity (session_id, reported_at, activity)
  VALUES (?, NOW(3), ?)
  ON DUPLICATE KEY UPDATE reported_at = VALUES(reported_at), activity = VALUES(activity)`;
