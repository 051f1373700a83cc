import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import {
  endReasons,
  endsAll,
  type SlotChange,
  type SlotChangeKind,
} from '../../../domain/policies/jobChange.ts';
import { decideSlotChanges, type SlotOfJob } from '../../../domain/policies/jobSlotsChange.ts';
import type { SlotState } from '../../../domain/run/arrows.ts';
import type { Trigger } from '../../../domain/run/run.ts';
import type { TickSource } from '../../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../../domain/schedule/read/revisionTicks.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';
import { notifyMissedByChange } from '../../notifications/notifyMissed.ts';
import { each, instantMs, integer, nullable, rowOf, text, wordOf } from '../../rows/row.ts';
import { endPending } from '../../slots/endPending.ts';
import { nextOfSlots } from '../../slots/nextOfSlots.ts';
import {
  idleAssignments,
  idsOf,
  putBackSlots,
  recordUnfinished,
  releaseSlots,
} from '../../slots/releaseSlots.ts';
import { insertTickRanges, type RangeOfSlot } from '../../slots/tickRanges.ts';
import { queueTicks } from '../../slots/writeClaims.ts';
import { explainMissed } from '../../targeting/explainMissed.ts';
import type { JobInForce } from '../findJob.ts';

interface SlotToChange extends SlotOfJob, ReturnType<typeof slotRow> {}

interface Decided extends SlotChange {
  readonly slot: SlotToChange;
}

interface Change {
  readonly kind: SlotChangeKind;
  readonly job: JobInForce;
  readonly next: { readonly definition: JobDefinition; readonly isPaused: boolean };
  readonly inForceFromMs: number;
}

/** A job's slots as they are under the lock, and the ticks of the revision that ends. */
type SlotsToChange = Awaited<ReturnType<typeof readSlots>>;

/** Reads the slots of a job whose stripes the caller holds. */
export async function readSlots(connection: ChannelConnection, job: JobInForce) {
  const rows = await connection.rows(slotRow, selectSlots, [job.jobId]);
  const oldTicks = ticksOf(job, job.inForceFromMs);
  const waiting = await countWaiting(connection, job);
  const slots = rows.map((row): SlotToChange => {
    const { nodeName, state, trigger, scheduledForMs } = row;
    const isPrepared = state === 'prepare' && trigger !== null && scheduledForMs !== null;
    const launch = isPrepared ? { trigger, scheduledForMs } : null;
    return { ...row, waiting: waiting.get(nodeName) ?? 0, launch };
  });
  return { slots, oldTicks };
}

/**
 * Carries a job's slots over to its new revision, in the transaction that makes it: prepared
 * launches are withdrawn, so that a start need read no more than its own row (P14); cursors are
 * set anew; every tick and request that ends here gets its history row (P19). The caller holds the
 * stripes. Resolves to how they stand then.
 */
export async function changeSlots(
  connection: ChannelConnection,
  { slots, oldTicks }: SlotsToChange,
  { kind, job: { definition, jobId, nowMs, revision }, next, inForceFromMs }: Change,
) {
  const newTicks = ticksOf(next, inForceFromMs);
  const when = { nowMs, inForceFromMs };
  const jobChange = { kind, ...when, oldTicks, newTicks, policies: definition };
  const changes = decideSlotChanges(slots, jobChange);
  const decided = slots.flatMap((slot, index): Decided[] => {
    const change = changes[index];
    return change === undefined ? [] : [{ slot, ...change }];
  });
  await explainMissed(connection, decided);
  const passed = decided.flatMap(({ slot, ranges }) =>
    ranges.map((range): RangeOfSlot => ({ slot: { ...slot, revision }, range })),
  );
  await insertTickRanges(connection, passed);
  await notifyMissedByChange(connection, definition, passed);
  await withdraw(connection, kind, decided);
  const queued = decided.map(({ slot, queued: ticks }) => ({ slot, ticks }));
  await queueTicks(connection, queued);
  if (endsAll(kind)) {
    const end = { result: 'skipped', reason: endReasons[kind], revision } as const;
    await endPending(connection, 'pending.job_id = ?', [jobId], end);
  }
  for (const { slot, cursorMs } of decided) {
    const statement = slot.state === 'executing' ? moveCursor : moveIdleCursor;
    const affected = await connection.change(statement, [dateOf(cursorMs), slot.slotId]);
    if (affected !== 1) throw new Error('changeSlots: a row changed under its lock');
  }
  if (kind === 'remove') await connection.change(deleteIdle, [jobId]);
  return readStanding(connection, jobId);
}

/** How the slots of a job stand whose stripes the caller holds. */
export function readStanding(connection: ChannelConnection, jobId: number) {
  return connection.row(slotsStanding, selectStanding, [jobId]);
}

const slotsStanding = rowOf({
  /** When one is due next, a tick of the revision before included; null when none will be. */
  nextRunMs: nullable(instantMs),
  /** Runs that have started and go on; one without a process yet may still get it. */
  executing: integer,
});

/** prepare → idle for every prepared launch, as its decision says. */
async function withdraw(
  connection: ChannelConnection,
  kind: SlotChangeKind,
  decided: readonly Decided[],
): Promise<void> {
  const those = (prepared: SlotChange['prepared']): number[] =>
    idsOf(decided.flatMap((each) => (each.prepared === prepared ? each.slot : [])));
  const skipped = those('skipped');
  if (endsAll(kind)) {
    const ending = { result: 'skipped', isFinal: true, reason: endReasons[kind] } as const;
    await recordUnfinished(connection, skipped, ending);
  }
  await putBackSlots(connection, those('kept'));
  await releaseSlots(connection, [...skipped, ...those('dropped')]);
}

function ticksOf({ definition, isPaused }: Change['next'], fromMs: number): TickSource | null {
  return isPaused ? null : ticksOfRevision(definition, fromMs);
}

/** By node name, how many ticks of the job wait their turn. */
async function countWaiting(connection: ChannelConnection, { definition, jobId }: JobInForce) {
  if (!definition.overlap?.startsWith('queue')) return new Map<string, number>();
  const counts = await connection.rows(waitingOfNode, selectWaiting, [jobId]);
  return new Map(counts.map(({ nodeName, waiting }) => [nodeName, waiting]));
}

const slotRow = rowOf({
  ...each(integer, 'slotId', 'jobId', 'slotNo', 'targetId'),
  nodeName: text,
  state: wordOf<SlotState>(),
  ...each(nullable(instantMs), 'cursorMs', 'endedMs', 'scheduledForMs'),
  trigger: nullable(wordOf<Trigger>()),
});
const selectSlots = `/* changeSlots read */ SELECT slot_id, job_id, node_name, slot_no, state,
    target_id, cursor_at AS 'cursor', ended_at AS ended, triggered_by AS 'trigger', scheduled_for
  FROM slot WHERE job_id = ? ORDER BY slot_id`;
const waitingOfNode = rowOf({ nodeName: text, waiting: integer });
const selectWaiting = `/* changeSlots waiting */ SELECT node_name, COUNT(*) AS waiting FROM pending
  WHERE job_id = ? AND triggered_by = 'queue' GROUP BY node_name`;
const moveCursor = `/* changeSlots cursor */ UPDATE slot SET cursor_at = ?
  WHERE slot_id = ? AND state = 'executing'`;
const moveIdleCursor = `/* changeSlots idle */ UPDATE slot SET cursor_at = ?, ${idleAssignments}
  WHERE slot_id = ? AND state = 'idle'`;
const deleteIdle = "/* removeJob slots */ DELETE FROM slot WHERE job_id = ? AND state = 'idle'";
const selectStanding = `/* readStanding */ SELECT
    COUNT(NULLIF(state = 'executing', 0)) AS executing,
    ${nextOfSlots("IF(slot.state = 'idle', slot.next_run_at, slot.cursor_at)")} AS next_run
  FROM slot WHERE job_id = ?`;
