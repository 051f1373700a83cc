import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickSource } from '../../domain/run/tickSource.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { instantMs, integer, rowOf, text } from '../rows/row.ts';
import { byPlace } from '../slots/readPasts.ts';
import { insertTickRanges, type RangeOfSlot } from '../slots/tickRanges.ts';

/** A revision in force, and what it names. */
export interface RevisionInForce {
  readonly revision: number;
  readonly definition: JobDefinition;
  readonly ticks: TickSource;
}

/** What is accounted for as missed, and why. */
export interface Missing {
  /** What was due until then, that instant included. */
  readonly untilMs: number;
  readonly reason: Reason;
}

/**
 * Moves the cursors of jobs behind the instant, with a row for each range of ticks that they pass.
 * The caller holds the stripes, and no slot of the jobs is held. Resolves to how many ticks.
 */
export async function passCursors(
  connection: ChannelConnection,
  jobIds: readonly number[],
  revisions: ReadonlyMap<number, RevisionInForce>,
  { untilMs, reason }: Missing,
): Promise<number> {
  const ranges: RangeOfSlot[] = [];
  const slots = await connection.rows(slotCursor, selectCursors, [jobIds]);
  for (const siblings of byPlace(slots).values()) {
    // Slots side by side share their cursor.
    const cursorMs = Math.min(...siblings.map((slot) => slot.cursorMs));
    const slot = siblings.find((each) => each.cursorMs === cursorMs);
    const inForce = slot && revisions.get(slot.jobId);
    if (slot === undefined || inForce === undefined || cursorMs > untilMs) continue;
    const { jobId, nodeName, slotNo } = slot;
    const { revision, ticks } = inForce;
    const lastMs = lastTickFrom(ticks, cursorMs, untilMs);
    const range = makeTickRange('missed', ticks, cursorMs, lastMs, reason);
    ranges.push({ slot: { jobId, revision, nodeName, slotNo }, range });
    await connection.change(moveCursor, [dateOf(ticks.next(untilMs)), jobId, nodeName]);
  }
  await insertTickRanges(connection, ranges);
  return ranges.reduce((ticks, { range }) => ticks + range.ticks, 0);
}

const slotCursor = rowOf({ jobId: integer, nodeName: text, slotNo: integer, cursorMs: instantMs });
const selectCursors = `/* passCursors */ SELECT job_id, node_name, slot_no, cursor_at AS 'cursor'
  FROM slot WHERE job_id IN (?) AND cursor_at IS NOT NULL ORDER BY slot_id`;
const moveCursor = `/* passCursors move */ UPDATE slot SET cursor_at = ?
  WHERE job_id = ? AND node_name = ? AND state = 'idle'`;
