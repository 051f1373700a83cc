import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { integer, nullable, only } from '../../rows/row.ts';
import { idleAssignments } from '../../slots/releaseSlots.ts';

/**
 * Gives a job, or each node of it that has slots of its own, as many slots side by side as it may
 * run launches at once: new ones are copies of the first, on the same stripe and with the same
 * cursor; of those that are too many the idle ones go now, and the others when a claim finds them
 * idle. In the transaction that writes the definition.
 */
export async function resizeSlots(
  connection: ChannelConnection,
  jobId: number,
  { parallel = 1 }: JobDefinition,
): Promise<void> {
  const [most] = await connection.rows(only(nullable(integer)), selectMost, [jobId]);
  if ((most ?? 0) === 0 && parallel === 1) return;
  await connection.change(deleteSurplus, [jobId, parallel]);
  const numbers = Array.from({ length: parallel - 1 }, (_, place) => place + 1);
  if (numbers.length === 0) return;
  const rest = ' UNION ALL SELECT ?'.repeat(numbers.length - 1);
  const sql = copySlots.replace('/* rows */', () => rest);
  const copied = await connection.change(sql, [...numbers, jobId]);
  if (copied > 0) await connection.change(wakeCopies, [jobId]);
}

const selectMost = `/* resizeSlots read */ SELECT MAX(slot_no) FROM slot
  WHERE job_id = ?`;
const deleteSurplus = `/* resizeSlots surplus */ DELETE FROM slot
  WHERE job_id = ? AND slot_no >= ? AND state = 'idle'`;
/** IGNORE: one that is there stays as it is. */
const copySlots = `/* resizeSlots copy */ INSERT IGNORE INTO slot
    (job_id, node_name, slot_no, stripe, target_id, cursor_at, created_at)
  SELECT job_id, node_name, copy.slot_no, stripe, target_id, cursor_at, created_at
  FROM slot JOIN (SELECT ? AS slot_no/* rows */) copy
  WHERE job_id = ? AND slot.slot_no = 0`;
const wakeCopies = `/* resizeSlots wake */ UPDATE slot SET ${idleAssignments}
  WHERE job_id = ? AND state = 'idle'`;
