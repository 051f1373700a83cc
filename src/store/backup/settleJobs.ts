import { OperatorError } from '../../domain/errors/errors.ts';
import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { Reason } from '../../domain/reasons/reasons.ts';
import type { SlotState } from '../../domain/run/arrows.ts';
import type { Trigger } from '../../domain/run/run.ts';
import { lastTickFrom, makeTickRange } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { readJobsInForce } from '../jobs/findJob.ts';
import { type CountedEnd, countEnded } from '../lifecycle/endAttempts.ts';
import { partition } from '../rows/partition.ts';
import { instantMs, integer, nullable, only, rowOf, text, wordOf } from '../rows/row.ts';
import { endPending } from '../slots/endPending.ts';
import { byPlace } from '../slots/readPasts.ts';
import {
  idleAssignments,
  idsOf,
  putBackSlots,
  recordUnfinished,
  releaseSlots,
} from '../slots/releaseSlots.ts';
import { insertTickRanges, type RangeOfSlot } from '../slots/tickRanges.ts';
import { takeStripes } from '../transaction/takeStripes.ts';

/** What is accounted for as missed, and why. */
interface Missing {
  /** What was due until then, that instant included. */
  readonly untilMs: number;
  readonly reason: Reason;
}

interface Settling extends Missing {
  /** The jobs after this id. */
  readonly afterId: number;
}

interface Settled {
  readonly lastId: number;
  /** Those that are removed are settled, too, and not counted. */
  readonly jobs: number;
  readonly missed: number;
}

/** A transaction holds so many jobs, hence a few hundred rows. */
const jobsMax = 50;

/**
 * Settles the next jobs of a restored copy in one transaction, under their stripes: what their
 * slots hold, what was requested and what was due is accounted for, and the cursors stand on the
 * first ticks after the instant. Null: there are no more jobs. Repeated, it finds less to do.
 */
export async function settleJobs(channel: Channel, settling: Settling): Promise<Settled | null> {
  const jobs = await channel.rows(jobOrRemoved, selectJobs, [settling.afterId, jobsMax]);
  const jobIds = jobs.map(({ jobId }) => jobId);
  const lastId = jobIds.at(-1);
  if (lastId === undefined) return null;
  const missed = await changeOnce<number>(channel, {
    ...{ name: 'settleJobs', look: 'statecron doctor' },
    lock: async (connection) =>
      takeStripes(connection, await connection.rows(only(integer), selectStripes, [jobIds])),
    work: async (connection) => ({ commit: await settle(connection, jobIds, settling) }),
  });
  return { lastId, jobs: jobs.filter(({ removedNo }) => removedNo === 0).length, missed };
}

/** Resolves to the ticks, launches and requests that are missed. */
async function settle(connection: ChannelConnection, jobIds: readonly number[], missing: Missing) {
  const { reason, untilMs } = missing;
  const slots = await connection.rows(settledSlot, selectSlots, [jobIds]);
  const revisions = await readRevisions(connection, jobIds);
  const ending = { result: 'missed', reason } as const;
  const waiting = await endPending(connection, 'pending.job_id IN (?)', [jobIds], ending);
  const executing = slots.filter(({ state }) => state === 'executing');
  const prepared = slots.filter(({ state }) => state === 'prepare');
  const [ahead, due] = partition(prepared, (slot) => isAhead(slot, untilMs));
  const lost = { result: 'lost', isFinal: true, reason } as const;
  await recordUnfinished(connection, idsOf(executing), lost);
  await recordUnfinished(connection, idsOf(due), { ...lost, result: 'missed' });
  await releaseSlots(connection, idsOf([...executing, ...due]));
  await putBackSlots(connection, idsOf(ahead));
  const ticks = await passCursors(connection, jobIds, revisions, missing);
  // Nothing waits any more that an earlier look may have made due.
  await connection.change(wakeIdle, [jobIds]);
  await countEnded(connection, endedOf(executing, revisions));
  return waiting + executing.length + due.length + ticks;
}

/**
 * Moves the cursors of jobs behind the instant, with a row for each range of ticks that they pass.
 * The caller holds the stripes, and no slot of the jobs is held. Resolves to how many ticks.
 */
async function passCursors(
  connection: ChannelConnection,
  jobIds: readonly number[],
  revisions: Revisions,
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

/** A lost run counts for the limits of its job, as it does when a node dies. */
function endedOf(executing: readonly SettledSlot[], revisions: Revisions): CountedEnd[] {
  return executing.flatMap((slot) => {
    const inForce = revisions.get(slot.jobId);
    if (inForce === undefined) return [];
    return [{ slot, result: 'lost' as const, definition: inForce.definition, next: null }];
  });
}

/** A tick of the schedule that has not come yet can have run nowhere. */
function isAhead({ scheduledForMs, trigger }: SettledSlot, untilMs: number): boolean {
  const isTick = trigger === 'schedule' || trigger === 'misfire';
  return isTick && scheduledForMs > untilMs;
}

/** By job, the revision in force and its ticks. */
type Revisions = Awaited<ReturnType<typeof readRevisions>>;

async function readRevisions(connection: ChannelConnection, jobIds: readonly number[]) {
  const jobs = await readJobsInForce(connection, jobIds);
  return new Map(
    jobs.map(({ jobId, revision, definition, inForceFromMs }) => {
      const whyNot = whyNotUnderstood(definition);
      if (whyNot !== null) throw foreign(definition.name, whyNot);
      const ticks = ticksOfRevision(definition, inForceFromMs);
      return [jobId, { revision, ticks, definition }];
    }),
  );
}

function foreign(name: string, whyNot: string): OperatorError {
  const message = `The job ${JSON.stringify(name)} cannot be read: ${whyNot}.`;
  const hint = 'Confirm it with the version of statecron that wrote it, or a later one.';
  return new OperatorError({ code: 'definition_foreign', message, hint });
}

const selectJobs = `/* settleJobs */ SELECT job_id, removed_no FROM job
  WHERE job_id > ? ORDER BY job_id LIMIT ?`;
const jobOrRemoved = rowOf({ jobId: integer, removedNo: integer });
const selectStripes =
  '/* settleJobs stripes */ SELECT DISTINCT stripe FROM slot WHERE job_id IN (?)';
type SettledSlot = ReturnType<typeof settledSlot>;
const settledSlot = rowOf({
  slotId: integer,
  jobId: integer,
  nodeName: text,
  state: wordOf<SlotState>(),
  trigger: wordOf<Trigger>(),
  requestId: nullable(text),
  scheduledForMs: instantMs,
});
const selectSlots = `/* settleJobs slots */ SELECT slot_id, job_id, node_name, state,
    triggered_by AS 'trigger', request_id, scheduled_for
  FROM slot WHERE job_id IN (?) AND state <> 'idle' ORDER BY slot_id`;
const wakeIdle = `/* settleJobs idle */ UPDATE slot SET ${idleAssignments}
  WHERE job_id IN (?) AND state = 'idle'`;
const slotCursor = rowOf({ jobId: integer, nodeName: text, slotNo: integer, cursorMs: instantMs });
const selectCursors = `/* passCursors */ SELECT job_id, node_name, slot_no, cursor_at AS 'cursor'
  FROM slot WHERE job_id IN (?) AND cursor_at IS NOT NULL ORDER BY slot_id`;
const moveCursor = `/* passCursors move */ UPDATE slot SET cursor_at = ?
  WHERE job_id = ? AND node_name = ? AND state = 'idle'`;
