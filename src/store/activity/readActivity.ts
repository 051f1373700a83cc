import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';
import type { Channel } from '../connection/channel.ts';
import { each, flag, instantMs, jsonOf, nullable, rowOf, text } from '../rows/row.ts';

/** What a session has written of its activity. */
export type ReportedActivity = ReturnType<typeof reported>;

/** So many sessions at most, the latest first. */
const sessionsMax = 1_000;

/**
 * The activity that sessions have written, the latest first: of one node, or of all (null). A
 * session that has ended is there until its own row is cleaned away.
 */
export function readActivity(
  channel: Channel,
  nodeName: string | null,
): Promise<readonly ReportedActivity[]> {
  return channel.rows(reported, selectActivity, [nodeName, nodeName, sessionsMax]);
}

const reported = rowOf({
  ...each(text, 'node', 'sessionId', 'version'),
  isLive: flag,
  reportedMs: nullable(instantMs),
  activity: nullable(jsonOf<NodeActivity>()),
});
const selectActivity = `/* readActivity */ SELECT node_name AS node, session_id, version,
    state = 'live' AS is_live, reported_at AS reported,
    activity
  FROM session LEFT JOIN node_activity USING (session_id)
  WHERE (state = 'live' OR reported_at IS NOT NULL) AND (? IS NULL OR node_name = ?)
  ORDER BY started_at DESC LIMIT ?`;
