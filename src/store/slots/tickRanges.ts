import type { TickRange } from '../../domain/run/tickSource.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';

/** A range of ticks that ended without a launch, and the slot whose cursor passed it. */
export interface RangeOfSlot {
  slot: { jobId: number; revision: number; nodeName: string; slotNo: number };
  range: TickRange;
}

/** Writes one history row per range, in the transaction that moves the cursor past it. */
export async function insertTickRanges(
  connection: ChannelConnection,
  ranges: readonly RangeOfSlot[],
): Promise<void> {
  if (ranges.length === 0) return;
  const parameters = ranges.flatMap(({ slot, range }): Parameter[] => {
    const { jobId, revision, nodeName, slotNo } = slot;
    const [from, until] = [new Date(range.fromMs), new Date(range.untilMs)];
    const { ticks, result, reason } = range;
    return [jobId, revision, nodeName, slotNo, from, until, ticks, result, reason];
  });
  const rows = ranges.map(() => "(?, ?, ?, ?, 'schedule', 1, ?, ?, ?, NOW(3), ?, ?)");
  await connection.change(`${insertRanges} ${rows.join(', ')}`, parameters);
}

const insertRanges = `/* insertTickRanges */ INSERT INTO run (job_id, revision, node_name, slot_no,
    triggered_by, attempt, scheduled_for, scheduled_until, ticks, ended_at, result, reason)
  VALUES`;
