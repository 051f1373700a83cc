import { noShare, type Share, shareOfSession, wholeLine } from '../run/share.ts';
import { anyPlacement, mayTake } from './mayTake.ts';
import type { LiveNode } from './nodeFacts.ts';

/**
 * What a session looks ahead on: the stripes are dealt over the live sessions that can take work
 * that any node may do. One of level 0 or -1 gets none, one of level 2 none while one of level 1
 * lives. It still claims what it alone may run, a few seconds before the tick. All of them for a
 * session that is not in the list yet.
 */
export function dealStripes(sessionId: string, live: readonly LiveNode[]): Share {
  if (!live.some((session) => session.sessionId === sessionId)) return wholeLine;
  const dealtTo = live
    .filter((session) => mayTake(anyPlacement, session, live, new Map()))
    .map((session) => session.sessionId);
  return dealtTo.includes(sessionId) ? shareOfSession(sessionId, dealtTo) : noShare;
}
