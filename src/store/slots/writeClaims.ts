import type { SlotClaim } from '../../domain/policies/slotsPast.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf, type Parameter } from '../connection/queryable.ts';
import type { Due, DueSlot, PendingRow } from './readPasts.ts';
import { idleAssignments } from './releaseSlots.ts';
import { insertTickRanges, type RangeOfSlot } from './tickRanges.ts';

/** One slot's part of a claim, and whose it is. */
export interface Claimed extends SlotClaim<PendingRow>, Due {
  /** '': nothing is launched. */
  readonly launchId: string;
  /** It is one of several slots, which share their cursor. */
  readonly isParallel: boolean;
}

/** Writes what a claim has decided; resolves to how many ranges of ticks it has passed. */
export async function writeClaims(
  connection: ChannelConnection,
  sessionId: string,
  claimed: readonly Claimed[],
): Promise<number> {
  const ranges = claimed.flatMap(({ slot, decision }) =>
    decision.ranges.map((range): RangeOfSlot => {
      return { slot: { ...slot, revision: slot.jobRevision }, range };
    }),
  );
  await insertTickRanges(connection, ranges);
  await queueTicks(
    connection,
    claimed.map(({ slot, decision }) => ({ slot, ticks: decision.queued })),
  );
  await endLate(connection, claimed);
  const launched = claimed.filter(({ launchId }) => launchId !== '');
  const taken = launched.flatMap((each) => (each.taken === null ? [] : [each.taken.pendingId]));
  if (taken.length > 0) await connection.change(deletePending, [taken]);
  await markPrepared(connection, sessionId, launched);
  await moveCursors(connection, claimed);
  return ranges.length;
}

/** Ticks that wait their turn, each as a pending launch. */
export async function queueTicks(
  connection: ChannelConnection,
  queued: readonly {
    readonly slot: Pick<DueSlot, 'jobId' | 'nodeName'>;
    readonly ticks: readonly number[];
  }[],
): Promise<void> {
  const values = queued.flatMap(({ slot, ticks }) =>
    ticks.map((tickMs): Parameter[] => {
      const tick = new Date(tickMs);
      return [slot.jobId, slot.nodeName, 'queue', tick, 1, '', tick];
    }),
  );
  if (values.length > 0) await connection.change(insertPending, [values]);
}

/** Pending launches whose start deadline is over get their history row, and are gone. */
async function endLate(connection: ChannelConnection, claimed: readonly Claimed[]): Promise<void> {
  for (const { slot, late } of claimed) {
    if (late.length === 0) continue;
    const ids = late.map(({ pendingId }) => pendingId);
    await connection.change(recordLate, [slot.jobRevision, slot.slotNo, reasons.tooLate, ids]);
    await connection.change(deletePending, [ids]);
  }
}

/**
 * One statement for any number of rows: a union of literals joined by primary key. A prepared
 * slot's `next_run_at` is when it ought to start: its tick, or now when that is over, so that a
 * make-up is not taken from its node for being overdue as soon as it is claimed.
 */
async function markPrepared(
  connection: ChannelConnection,
  sessionId: string,
  launched: readonly Claimed[],
): Promise<void> {
  if (launched.length === 0) return;
  const parameters = launched.flatMap((claimed): Parameter[] => {
    const { slot, decision, launchId, startAtMs, taken } = claimed;
    const { launch, cursorMs } = decision;
    if (launch === null) throw new Error('markPrepared: a claim without a launch');
    return [
      slot.slotId,
      launchId,
      launch.trigger,
      launch.attempt,
      taken?.requestId || null,
      new Date(launch.scheduledForMs),
      new Date(startAtMs),
      dateOf(cursorMs),
      slot.jobRevision,
    ];
  });
  const rest = ' UNION ALL SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?'.repeat(launched.length - 1);
  const sql = prepareStatement.replace('/* rows */', () => rest);
  const affected = await connection.change(sql, [...parameters, sessionId]);
  if (affected !== launched.length) throw new Error('claimSlots: a row changed under its lock');
}

/**
 * Of slots without a launch, and of all that stand side by side. Observed jobs come to hundreds in
 * a claim, with few different cursors: one statement for each of those.
 */
async function moveCursors(
  connection: ChannelConnection,
  claimed: readonly Claimed[],
): Promise<void> {
  const shared = new Map<string, Parameter[]>();
  const moved = new Map<number | null, number[]>();
  for (const { slot, decision, launchId, isParallel } of claimed) {
    const { cursorMs } = decision;
    const place = [slot.jobId, slot.nodeName];
    if (isParallel) shared.set(place.join(':'), [dateOf(cursorMs), ...place]);
    else if (launchId === '') moved.set(cursorMs, [...(moved.get(cursorMs) ?? []), slot.slotId]);
  }
  for (const [cursorMs, slotIds] of moved) {
    await connection.change(moveCursor, [dateOf(cursorMs), slotIds]);
  }
  for (const parameters of shared.values()) {
    await connection.change(moveIdle, parameters);
    await connection.change(moveBusy, parameters);
  }
}

const insertPending = `/* claimSlots queue */ INSERT INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  VALUES ?`;
const recordLate = `/* claimSlots late */ INSERT INTO run (job_id, revision, node_name, slot_no,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  SELECT job_id, ?, node_name, ?, triggered_by, NULLIF(request_id, ''), attempt, scheduled_for,
    NOW(3), 'missed', ?
  FROM pending WHERE pending_id IN (?)`;
const deletePending = '/* claimSlots taken */ DELETE FROM pending WHERE pending_id IN (?)';
const prepareStatement = `/* claimSlots */ UPDATE (
    SELECT ? AS slot_id, ? AS launch_id, ? AS triggered_by, ? AS attempt, ? AS request_id,
      ? AS scheduled_for, ? AS start_at, ? AS cursor_at, ? AS revision/* rows */
  ) claimed STRAIGHT_JOIN slot ON slot.slot_id = claimed.slot_id
  SET slot.state = 'prepare', slot.launch_id = claimed.launch_id, slot.session_id = ?,
    slot.revision = claimed.revision, slot.triggered_by = claimed.triggered_by,
    slot.attempt = claimed.attempt, slot.request_id = claimed.request_id,
    slot.scheduled_for = claimed.scheduled_for,
    slot.next_run_at = GREATEST(CAST(claimed.start_at AS DATETIME(3)), NOW(3)),
    slot.cursor_at = claimed.cursor_at
  WHERE slot.state = 'idle'`;
const moveCursor = `/* claimSlots cursor */ UPDATE slot FORCE INDEX (PRIMARY)
  SET cursor_at = ?, ${idleAssignments}
  WHERE slot_id IN (?) AND state = 'idle'`;
const moveIdle = `/* claimSlots idle */ UPDATE slot SET cursor_at = ?, ${idleAssignments}
  WHERE job_id = ? AND node_name = ? AND state = 'idle'`;
const moveBusy = `/* claimSlots busy */ UPDATE slot SET cursor_at = ?
  WHERE job_id = ? AND node_name = ? AND state <> 'idle'`;
