import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickSource } from '../../domain/run/tickSource.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { instantMs, integer, rowOf, text } from '../rows/row.ts';
import { pastKey } from '../slots/readPasts.ts';
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
  missing: Missing,
): Promise<number> {
  const ranges: RangeOfSlot[] = [];
  const slots = await connection.rows(slotCursor, selectCursors, [jobIds]);
  for (const cursor of cursorsOf(slots)) {
    const passed = passTicks(cursor, revisions, missing);
    if (passed === null) continue;
    ranges.push(passed.range);
    await connection.change(moveCursor, [passed.cursorAt, cursor.jobId, cursor.nodeName]);
  }
  await insertTickRanges(connection, ranges);
  return ranges.reduce((ticks, { range }) => ticks + range.ticks, 0);
}

/** One for each job, or for each node of an every-node job; slots side by side share it. */
function cursorsOf(slots: readonly Cursor[]): Cursor[] {
  const cursors = new Map<string, Cursor>();
  for (const slot of slots) {
    const known = cursors.get(pastKey(slot));
    if (known !== undefined && known.cursorMs <= slot.cursorMs) continue;
    cursors.set(pastKey(slot), slot);
  }
  return [...cursors.values()];
}

/** The ticks from the cursor to the instant, and the cursor after them; null: none is due. */
function passTicks(
  { jobId, nodeName, slotNo, cursorMs }: Cursor,
  revisions: ReadonlyMap<number, RevisionInForce>,
  { untilMs, reason }: Missing,
): { readonly range: RangeOfSlot; readonly cursorAt: Date | null } | null {
  const inForce = revisions.get(jobId);
  if (inForce === undefined || cursorMs > untilMs) return null;
  const { revision, ticks } = inForce;
  const lastMs = lastTickFrom(ticks, cursorMs, untilMs);
  const range = makeTickRange('missed', ticks, { fromMs: cursorMs, untilMs: lastMs }, reason);
  const nextMs = ticks.next(untilMs);
  const slot = { jobId, revision, nodeName, slotNo };
  return { range: { slot, range }, cursorAt: nextMs === null ? null : new Date(nextMs) };
}

type Cursor = ReturnType<typeof slotCursor>;
const slotCursor = rowOf({ jobId: integer, nodeName: text, slotNo: integer, cursorMs: instantMs });
const selectCursors = `/* passCursors */ SELECT job_id, node_name, slot_no, cursor_at AS 'cursor'
  FROM slot WHERE job_id IN (?) AND cursor_at IS NOT NULL ORDER BY slot_id`;
const moveCursor = `/* passCursors move */ UPDATE slot SET cursor_at = ?
  WHERE job_id = ? AND node_name = ? AND state = 'idle'`;
