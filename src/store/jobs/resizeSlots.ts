import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { idleAssignments } from '../slots/idleAssignments.ts';

/**
 * Gives a job as many slots side by side as it may run launches at once: new ones are copies of its
 * first, on the same stripe and with the same cursor; of those that are too many the idle ones go
 * now, and the others when a claim finds them idle. In the transaction that writes the definition.
 */
export async function resizeSlots(
  connection: ChannelConnection,
  jobId: number,
  { kind, parallel = 1 }: JobDefinition,
): Promise<void> {
  const slots = await connection.query<Row[]>(selectSlots, [jobId]);
  const present = new Set(slots.map((row) => row.slot_no as number));
  if (kind === 'every-node' || (present.size === 1 && parallel === 1)) return;
  await connection.change(deleteSurplus, [jobId, parallel]);
  const numbers = Array.from({ length: parallel }, (_, slotNo) => slotNo);
  const missing = numbers.filter((slotNo) => !present.has(slotNo));
  for (const slotNo of missing) await connection.change(copySlot, [slotNo, jobId]);
  if (missing.length > 0) await connection.change(wakeCopies, [jobId]);
}

const selectSlots = `/* resizeSlots read */ SELECT slot_no FROM slot
  WHERE job_id = ? AND node_name = ''`;
const deleteSurplus = `/* resizeSlots surplus */ DELETE FROM slot
  WHERE job_id = ? AND node_name = '' AND slot_no >= ? AND state = 'idle'`;
const copySlot = `/* resizeSlots copy */ INSERT INTO slot
    (job_id, node_name, slot_no, stripe, target_id, cursor_at)
  SELECT job_id, node_name, ?, stripe, target_id, cursor_at
  FROM slot WHERE job_id = ? AND node_name = '' AND slot_no = 0`;
const wakeCopies = `/* resizeSlots wake */ UPDATE slot SET ${idleAssignments}
  WHERE job_id = ? AND state = 'idle'`;
