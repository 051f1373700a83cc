import type { Answer } from '../../api/callApi.ts';
import type { Session } from '../../nodes/session.tsx';

/** What the screen of groups shows. */
export interface GroupsShown {
  readonly groups: Answer<'GET /groups'>['items'];
  /** Of each node that was there lately. */
  readonly sessions: readonly Session[];
}

/** The nodes that can be chosen. */
export function knownNodes(shown: GroupsShown | null): readonly string[] {
  return shown?.sessions.map(({ node }) => node) ?? [];
}
