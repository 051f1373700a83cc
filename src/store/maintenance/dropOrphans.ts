import { reasons } from '../../domain/reasons/reasons.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { readJobInForce } from '../jobs/findJob.ts';
import { wakeJob } from '../requests/requestLaunch.ts';
import { integer, nullable, rowOf, text } from '../rows/row.ts';
import { endPending } from '../slots/endPending.ts';
import { takeFreeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';

const orphansMax = 20;

/**
 * Ends requests for a node that is gone: nobody else may take them, and they would wait for ever.
 * A node has a minute to come back. Resolves to how many requests were ended.
 */
export async function dropOrphans(channel: Channel): Promise<number> {
  let dropped = 0;
  for (const orphan of await channel.rows(orphanSeen, selectOrphans, [orphansMax])) {
    const { jobId, requestId } = orphan;
    const stripe = orphan.stripe ?? stripeOfJob(jobId);
    const outcome = await transact<number>(channel, 'dropOrphans', async (connection) => {
      const held = await takeFreeStripes(connection, [stripe]);
      if (!held.has(stripe)) return { commit: 0 };
      return { commit: await drop(connection, jobId, requestId) };
    });
    if (outcome.outcome === 'committed') dropped += outcome.value;
  }
  return dropped;
}

async function drop(
  connection: ChannelConnection,
  jobId: number,
  requestId: string,
): Promise<number> {
  if ((await readJobInForce(connection, jobId)) === null) return 0;
  // Read again under the lock: the node may be back, or have taken it.
  const [orphan] = await connection.rows(orphanHeld, selectOrphan, [jobId, requestId]);
  if (orphan === undefined) return 0;
  const ending = { result: 'skipped', reason: reasons.nodeGone(orphan.wantedNode) } as const;
  await endPending(connection, 'pending.pending_id = ?', [orphan.pendingId], ending);
  await wakeJob(connection, jobId);
  return 1;
}

const isOrphan = `launch_request.wanted_node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM session
    WHERE session.node_name = launch_request.wanted_node AND (session.state = 'live'
      OR session.ended_at > NOW(3) - INTERVAL 1 MINUTE))`;
const orphanSeen = rowOf({ jobId: integer, requestId: text, stripe: nullable(integer) });
const selectOrphans = `/* dropOrphans */ SELECT launch_request.job_id, launch_request.request_id,
    (SELECT MIN(slot.stripe) FROM slot WHERE slot.job_id = launch_request.job_id) AS stripe
  FROM launch_request JOIN pending ON pending.job_id = launch_request.job_id
    AND pending.request_id = launch_request.request_id
  WHERE ${isOrphan} LIMIT ?`;
const orphanHeld = rowOf({ pendingId: integer, wantedNode: text });
const selectOrphan = `/* dropOrphans read */ SELECT pending.pending_id, launch_request.wanted_node
  FROM launch_request JOIN pending ON pending.job_id = launch_request.job_id
    AND pending.request_id = launch_request.request_id
  WHERE launch_request.job_id = ? AND launch_request.request_id = ? AND ${isOrphan} LIMIT 1`;
