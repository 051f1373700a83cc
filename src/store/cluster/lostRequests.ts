import { requestedAlone } from '../../domain/reasons/reasons.ts';
import type { Channel } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';
import { integer, rowOf, text } from '../rows/row.ts';

/** Late slots: parameters are targets that no node may run, nodes that take work, and how many. */
export const lateSlots = `FROM slot FORCE INDEX (slot_by_due)
      WHERE state = 'idle' AND next_run_at < NOW(3) - INTERVAL 10 SECOND
        AND target_id NOT IN (?) AND node_name IN (?) LIMIT ?`;

/**
 * Those of the late slots whose every launch is requested on a node that is not live: no other
 * node is to take them. Resolves to how many, and a warning for each such node.
 */
export async function readLostRequests(channel: Channel, late: readonly Parameter[]) {
  const rows = await channel.rows(lostRequests, selectLost, late);
  return {
    slots: rows.reduce((sum, { slots }) => sum + slots, 0),
    warnings: rows.map(({ node }) => `a run is ${requestedAlone(node)}`),
  };
}

const lostRequests = rowOf({ node: text, slots: integer });
const ofRequest = `LEFT JOIN launch_request ON launch_request.job_id = pending.job_id
      AND launch_request.request_id = pending.request_id
    LEFT JOIN session ON session.node_name = launch_request.wanted_node AND session.state = 'live'`;
const selectLost = `/* readLostRequests */ SELECT node, COUNT(*) AS slots FROM (
  SELECT MIN(launch_request.wanted_node) AS node
  FROM (SELECT slot_id, job_id, node_name, next_run_at, cursor_at ${lateSlots}) AS late
    JOIN pending ON pending.job_id = late.job_id AND pending.node_name = late.node_name
      AND pending.not_before < NOW(3)
    ${ofRequest}
  WHERE late.cursor_at IS NULL OR late.cursor_at > late.next_run_at
  GROUP BY late.slot_id
  HAVING SUM(launch_request.wanted_node IS NULL OR session.session_id IS NOT NULL) = 0) AS lost
  GROUP BY node ORDER BY node LIMIT 20`;
