import { tellOfLostNode } from '../../domain/policies/decideNotices.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { insertNotices } from './insertNotices.ts';
import type { NoticeCache } from './noticeCache.ts';

/** Tells that a node was lost, in the transaction that ends its session. */
export async function tellLostNode(
  connection: ChannelConnection,
  notices: NoticeCache,
  sessionId: string,
  why: string,
): Promise<void> {
  const told = tellOfLostNode(await notices.rules(connection));
  if (told.length === 0) return;
  const [node] = await connection.rows(only(text), selectNode, [sessionId]);
  if (node === undefined) return;
  const facts = { node, sessionId, reason: why };
  await insertNotices(
    connection,
    told.map((one) => ({ ...one, subject: sessionId, facts })),
  );
}

const selectNode = '/* tellLostNode */ SELECT node_name FROM session WHERE session_id = ?';
