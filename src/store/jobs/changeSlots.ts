import type { SlotState } from '../../domain/arrows.ts';
import type { JobChange, JobChangeKind, SlotChange } from '../../domain/jobChange.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { decideSlotChanges, type SlotOfJob } from '../../domain/jobSlotsChange.ts';
import { reasons } from '../../domain/policies/reasons.ts';
import { ticksOfRevision } from '../../domain/revisionTicks.ts';
import type { Trigger } from '../../domain/run.ts';
import type { TickSource } from '../../domain/tickSource.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { tellMissedBefore } from '../notices/tellMissed.ts';
import { explainMissed } from '../slots/explainMissed.ts';
import { idleAssignments } from '../slots/idleAssignments.ts';
import { putBackSlots, recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';
import { insertTickRanges, type RangeOfSlot } from '../slots/tickRanges.ts';
import { queueTicks } from '../slots/writeClaims.ts';
import type { JobInForce } from './findJob.ts';

interface Decided {
  readonly row: Row;
  readonly change: SlotChange;
}

/** A job's slots as they are under the lock, and the ticks of the revision that ends. */
interface SlotsToChange {
  readonly rows: readonly Row[];
  readonly slots: readonly SlotOfJob[];
  readonly oldTicks: TickSource | null;
}

interface Change {
  readonly kind: JobChangeKind;
  readonly job: JobInForce;
  readonly next: { readonly definition: JobDefinition; readonly isPaused: boolean };
  readonly inForceFromMs: number;
}

const stopReasons = { pause: reasons.paused, remove: reasons.removed } as const;

/** Reads the slots of a job whose stripes the caller holds. */
export async function readSlots(
  connection: ChannelConnection,
  job: JobInForce,
): Promise<SlotsToChange> {
  const rows = await connection.query<Row[]>(selectSlots, [job.jobId]);
  const oldTicks = ticksUnless(job.isPaused, job.definition, job.inForceFromMs);
  const waiting = await countWaiting(connection, job);
  const slots = rows.map((row) => slotOf(row, waiting.get(row.node_name as string) ?? 0));
  return { rows, slots, oldTicks };
}

/**
 * Carries a job's slots over to its new revision, in the transaction that makes it: prepared
 * launches are withdrawn, so that a start need read no more than its own row (P14); cursors are
 * set anew; every tick and request that ends here gets its history row (P19). The caller holds the
 * stripes. Resolves to how they stand then.
 */
export async function changeSlots(
  connection: ChannelConnection,
  { rows, slots, oldTicks }: SlotsToChange,
  { kind, job: { definition, jobId, revision }, next, inForceFromMs }: Change,
): Promise<SlotsStanding> {
  const newTicks = ticksUnless(next.isPaused, next.definition, inForceFromMs);
  const jobChange: JobChange = { kind, inForceFromMs, oldTicks, newTicks, policies: definition };
  const decided = decideSlotChanges(slots, jobChange).map(
    (change, index): Decided => ({ row: rows[index] as Row, change }),
  );
  await explainMissed(
    connection,
    decided.map(({ row, change: { ranges } }) => {
      const slot = { nodeName: row.node_name as string, targetId: row.target_id as number };
      return { slot, ranges };
    }),
  );
  const passed = decided.flatMap((each) => rangesOf(each, revision));
  await insertTickRanges(connection, passed);
  await tellMissedBefore(connection, definition, passed);
  await withdraw(connection, kind, decided);
  await queueTicks(
    connection,
    decided.map(({ row, change: { queued } }) => ({
      slot: { jobId: row.job_id as number, nodeName: row.node_name as string },
      ticks: queued,
    })),
  );
  if (kind === 'pause' || kind === 'remove') {
    await connection.change(recordPending, [revision, stopReasons[kind], jobId]);
    await connection.change(deletePending, [jobId]);
  }
  for (const { row, change: slotChange } of decided) {
    const { cursorMs } = slotChange;
    const cursor = cursorMs === null ? null : new Date(cursorMs);
    const statement = row.state === 'executing' ? moveCursor : moveIdleCursor;
    const affected = await connection.change(statement, [cursor, row.slot_id]);
    if (affected !== 1) throw new Error('changeSlots: a row changed under its lock');
  }
  if (kind === 'remove') await connection.change(deleteIdle, [jobId]);
  return readStanding(connection, jobId);
}

/** How a job's slots stand. */
interface SlotsStanding {
  /** When one is due next, a tick of the revision before included; null when none will be. */
  readonly nextRunMs: number | null;
  /**
   * Runs that have started and go on. What of them has no process yet may get one, so that no
   * process of the job begins any more only where there is none.
   */
  readonly executing: number;
}

/** How the slots of a job stand whose stripes the caller holds. */
export async function readStanding(
  connection: ChannelConnection,
  jobId: number,
): Promise<SlotsStanding> {
  const [row] = await connection.query<Row[]>(selectStanding, [jobId]);
  const nextRunMs = (row?.next_run_at as Date | null | undefined)?.getTime() ?? null;
  return { nextRunMs, executing: Number(row?.executing) };
}

/** prepare → idle for every prepared launch, as its decision says. */
async function withdraw(
  connection: ChannelConnection,
  kind: JobChangeKind,
  decided: readonly Decided[],
): Promise<void> {
  const idsOf = (prepared: SlotChange['prepared']): number[] =>
    decided
      .filter(({ change }) => change.prepared === prepared)
      .map(({ row }) => row.slot_id as number);
  const skipped = idsOf('skipped');
  if (kind === 'pause' || kind === 'remove') {
    const ending = { result: 'skipped', isFinal: true, reason: stopReasons[kind] } as const;
    await recordUnfinished(connection, skipped, ending);
  }
  await putBackSlots(connection, idsOf('kept'));
  await releaseSlots(connection, [...skipped, ...idsOf('dropped')]);
}

function ticksUnless(
  isPaused: boolean,
  definition: JobDefinition,
  inForceFromMs: number,
): TickSource | null {
  return isPaused ? null : ticksOfRevision(definition, inForceFromMs);
}

/** By node name, how many ticks of the job wait their turn. */
async function countWaiting(
  connection: ChannelConnection,
  { definition, jobId }: JobInForce,
): Promise<Map<string, number>> {
  if (!definition.overlap?.startsWith('queue')) return new Map();
  const rows = await connection.query<Row[]>(selectWaiting, [jobId]);
  return new Map(rows.map((row) => [row.node_name as string, Number(row.waiting)]));
}

function slotOf(row: Row, waiting: number): SlotOfJob {
  const state = row.state as SlotState;
  return {
    nodeName: row.node_name as string,
    state,
    waiting,
    cursorMs: (row.cursor_at as Date | null)?.getTime() ?? null,
    endedMs: (row.ended_at as Date | null)?.getTime() ?? null,
    launch:
      state === 'prepare'
        ? {
            trigger: row.triggered_by as Trigger,
            scheduledForMs: (row.scheduled_for as Date).getTime(),
          }
        : null,
  };
}

function rangesOf({ row, change }: Decided, revision: number): RangeOfSlot[] {
  const slot = {
    jobId: row.job_id as number,
    revision,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
  };
  return change.ranges.map((range) => ({ slot, range }));
}

const selectSlots = `/* changeSlots read */ SELECT slot_id, job_id, node_name, slot_no, state,
    target_id, cursor_at, ended_at, triggered_by, scheduled_for
  FROM slot WHERE job_id = ? ORDER BY slot_id`;
const selectWaiting = `/* changeSlots waiting */ SELECT node_name, COUNT(*) AS waiting FROM pending
  WHERE job_id = ? AND triggered_by = 'queue' GROUP BY node_name`;
const recordPending = `/* changeSlots pending */ INSERT INTO run (job_id, revision, node_name,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  SELECT job_id, ?, node_name, triggered_by, NULLIF(request_id, ''), attempt, scheduled_for,
    NOW(3), 'skipped', ?
  FROM pending WHERE job_id = ?`;
const deletePending = '/* changeSlots pending taken */ DELETE FROM pending WHERE job_id = ?';
const moveCursor = `/* changeSlots cursor */ UPDATE slot SET cursor_at = ?
  WHERE slot_id = ? AND state = 'executing'`;
const moveIdleCursor = `/* changeSlots idle */ UPDATE slot SET cursor_at = ?, ${idleAssignments}
  WHERE slot_id = ? AND state = 'idle'`;
const deleteIdle = "/* removeJob slots */ DELETE FROM slot WHERE job_id = ? AND state = 'idle'";
const selectStanding = `/* readStanding */ SELECT
    COUNT(NULLIF(state = 'executing', 0)) AS executing,
    MIN(IF(state = 'idle', next_run_at, cursor_at)) AS next_run_at
  FROM slot WHERE job_id = ?`;
