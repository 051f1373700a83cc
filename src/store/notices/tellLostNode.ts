import { tellOfLostNode } from '../../domain/notices/decideNotices.ts';
import type { NoticeDraft, NoticeFacts } from '../../domain/notices/notice.ts';
import type { ChannelConnection, Row } from '../channel.ts';
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
  const [row] = await connection.query<Row[]>(selectNode, [sessionId]);
  if (row === undefined) return;
  const facts: NoticeFacts = { node: row.node_name as string, sessionId, reason: why };
  const drafts = told.map((one): NoticeDraft => {
    return { ...one, subject: sessionId, facts, launchId: null, delayMs: 0 };
  });
  await insertNotices(connection, drafts);
}

const selectNode = '/* tellLostNode */ SELECT node_name FROM session WHERE session_id = ?';
