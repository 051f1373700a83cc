import type { ChannelConnection } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';
import { idleAssignments, putBackSlots } from '../slots/releaseSlots.ts';

/**
 * Makes a job's slots look at its pending launches, some of which were just added. A launch that
 * waits for a later tick gives way; its tick is the cursor again. The caller holds the stripes.
 */
export async function wakeJob(connection: ChannelConnection, jobId: number): Promise<void> {
  await putBackSlots(connection, await connection.rows(only(integer), selectWaiting, [jobId]));
  await connection.change(wakeSlots, [jobId]);
}

/** One whose time is nearer than a second is left alone: its start may be under way. */
const selectWaiting = `/* wakeJob waiting */ SELECT slot_id FROM slot
  WHERE job_id = ? AND state = 'prepare' AND next_run_at > NOW(3) + INTERVAL 1 SECOND`;
const wakeSlots = `/* wakeJob */ UPDATE slot SET ${idleAssignments}
  WHERE job_id = ? AND state = 'idle'`;
