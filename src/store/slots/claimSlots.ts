import type { ClaimRequest, Verdict } from '../../domain/batch.ts';
import { type ClaimDecision, decideClaim } from '../../domain/claimDecision.ts';
import type { Launch } from '../../domain/launch.ts';
import type { Trigger } from '../../domain/run.ts';
import type { ChannelConnection, Parameter, Row } from '../channel.ts';
import type { TargetingCache } from '../targeting/targetingCache.ts';
import { idleAssignments } from './idleAssignments.ts';
import type { Revision, RevisionCache } from './revisionCache.ts';
import { insertTickRanges, type RangeOfSlot } from './tickRanges.ts';

export interface ClaimContext {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly nextLaunchId: () => string;
  readonly revisions: RevisionCache;
  readonly targeting: TargetingCache;
}

interface Claimed {
  row: Row;
  revision: Revision;
  decision: ClaimDecision;
  launchId: string;
  pendingId: number | null;
  requestId: string | null;
}

/**
 * idle → prepare for what is due within the horizon on the stripes held: the launch takes the
 * earlier of cursor and pending, the cursor moves on, and every tick that it passes is written as a
 * range row in the same transaction (P19). Costs the same with a thousand idle rows and with a
 * million: the index slot_by_due is read from its start, in order, up to the limit.
 */
export async function claimSlots(
  connection: ChannelConnection,
  context: ClaimContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<Verdict> {
  const due = await readDue(connection, context, request, held);
  const pendingByJob = await readPending(
    connection,
    due.map(({ row }) => row),
  );
  const decided = due.map(({ row, revision }): Claimed => {
    const pending = pendingByJob.get(`${row.job_id}:${row.node_name}`);
    const decision = decideClaim(
      {
        cursorMs: instant(row.cursor_at),
        endedMs: instant(row.ended_at),
        pending: pending === undefined ? null : pendingOf(pending),
      },
      revision.ticks,
      (row.now_at as Date).getTime(),
    );
    const taken = decision.launch?.fromPending === true ? pending : undefined;
    const launchId = decision.launch === null ? '' : context.nextLaunchId();
    const pendingId = (taken?.pending_id as number | undefined) ?? null;
    return { row, revision, decision, launchId, pendingId, requestId: taken?.request_id || null };
  });

  const ranges = decided.flatMap(({ row, decision }) =>
    decision.ranges.map((range): RangeOfSlot => ({ slot: slotOf(row), range })),
  );
  await insertTickRanges(connection, ranges);
  const launched = decided.filter((claimed) => claimed.launchId !== '');
  await takePending(connection, launched);
  await markPrepared(connection, context.sessionId, launched);
  for (const { row, decision, launchId } of decided) {
    if (launchId !== '') continue;
    const cursor = decision.cursorMs === null ? null : new Date(decision.cursorMs);
    await connection.change(moveCursor, [cursor, row.slot_id]);
  }
  const busyStripes = request.dueStripes.filter((stripe) => !held.has(stripe));
  const launches = launched.map(launchOf);
  return { verdict: 'claimed', launches, passed: ranges.length, busyStripes };
}

/** What is due and understood; a job that is not stays as it is, for nodes of another version. */
async function readDue(
  connection: ChannelConnection,
  { nodeName, revisions, sessionId, targeting }: ClaimContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<{ row: Row; revision: Revision }[]> {
  const stripes = request.dueStripes.filter((stripe) => held.has(stripe));
  if (stripes.length === 0 || request.slotsMax <= 0) return [];
  const takeable = await targeting.takeable(connection, sessionId);
  const own = request.stripes.length === 0 ? [-1] : request.stripes;
  const rows = await connection.query<Row[]>(selectDue, [
    stripes,
    ['', nodeName],
    takeable.anywhere,
    takeable.pinned,
    request.aheadMs * 1000,
    own,
    request.aheadAnywhereMs * 1000,
    revisions.foreign.pairs(),
    request.slotsMax,
  ]);
  const loaded = await revisions.load(connection, rows);
  return rows.flatMap((row, index) => {
    const revision = loaded[index] as Revision;
    const { definition, whyNot } = revision;
    if (whyNot === null) return [{ row, revision }];
    const { job_id: jobId, job_revision: number } = row as { job_id: number; job_revision: number };
    revisions.foreign.add(jobId, number, definition.name, whyNot);
    return [];
  });
}

/** The earliest pending launch of each slot that a claim may take it for. */
async function readPending(connection: ChannelConnection, due: Row[]): Promise<Map<string, Row>> {
  const jobIds = due.filter(mayTakePending).map((row) => row.job_id as number);
  if (jobIds.length === 0) return new Map();
  const rows = await connection.query<Row[]>(selectPending, [jobIds]);
  return new Map(rows.reverse().map((row) => [`${row.job_id}:${row.node_name}`, row]));
}

/**
 * One is due before the cursor, or may be due before the tick after those that the claim passes,
 * since they fell into the last run. All others go after the cursor, and are not read for.
 */
function mayTakePending(row: Row): boolean {
  const [cursorMs, endedMs] = [instant(row.cursor_at), instant(row.ended_at)];
  const isPassed = cursorMs !== null && endedMs !== null && endedMs >= cursorMs;
  return isPassed || instant(row.next_run_at) !== cursorMs;
}

function pendingOf(row: Row) {
  return {
    trigger: row.triggered_by as Trigger,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    attempt: row.attempt as number,
    notBeforeMs: (row.not_before as Date).getTime(),
  };
}

async function takePending(connection: ChannelConnection, launched: Claimed[]): Promise<void> {
  const ids = launched.flatMap(({ pendingId }) => (pendingId === null ? [] : [pendingId]));
  if (ids.length > 0) await connection.change(deletePending, [ids]);
}

/**
 * One statement for any number of rows: a union of literals joined by primary key. A prepared
 * slot's
 * `next_run_at` is when it ought to start: its tick, or now when that is over, so that a make-up is
 * not taken from its node for being overdue the moment it is claimed.
 */
async function markPrepared(
  connection: ChannelConnection,
  sessionId: string,
  launched: Claimed[],
): Promise<void> {
  if (launched.length === 0) return;
  const parameters = launched.flatMap(({ row, decision, launchId, requestId }): Parameter[] => {
    const { launch, cursorMs } = decision;
    if (launch === null) throw new Error('markPrepared: a claim without a launch');
    return [
      row.slot_id as number,
      launchId,
      launch.trigger,
      launch.attempt,
      requestId,
      new Date(launch.scheduledForMs),
      cursorMs === null ? null : new Date(cursorMs),
      row.job_revision as number,
    ];
  });
  const rest = ' UNION ALL SELECT ?, ?, ?, ?, ?, ?, ?, ?'.repeat(launched.length - 1);
  const sql = prepareStatement.replace('/* rows */', () => rest);
  const affected = await connection.change(sql, [...parameters, sessionId]);
  if (affected !== launched.length) throw new Error('claimSlots: a row changed under its lock');
}

function launchOf({ row, revision, decision, launchId, requestId }: Claimed): Launch {
  const { launch, cursorMs } = decision;
  if (launch === null) throw new Error('launchOf: a claim without a launch');
  return {
    launchId,
    slotId: row.slot_id as number,
    jobId: row.job_id as number,
    stripe: row.stripe as number,
    slotNodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    revision: row.job_revision as number,
    trigger: launch.trigger,
    attempt: launch.attempt,
    requestId,
    scheduledForMs: launch.scheduledForMs,
    cursorMs,
    definition: revision.definition,
  };
}

function slotOf(row: Row): RangeOfSlot['slot'] {
  return {
    jobId: row.job_id as number,
    revision: row.job_revision as number,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
  };
}

function instant(value: Date | null): number | null {
  return value === null ? null : value.getTime();
}

/** Exported for the test that shows its EXPLAIN. */
export const selectDue = `/* claimSlots due */ SELECT STRAIGHT_JOIN slot.slot_id, slot.job_id,
    slot.stripe, slot.node_name, slot.slot_no, slot.cursor_at, slot.next_run_at, slot.ended_at,
    job.revision AS job_revision, NOW(3) AS now_at
  FROM slot FORCE INDEX (slot_by_due) JOIN job ON job.job_id = slot.job_id
  WHERE slot.state = 'idle' AND slot.stripe IN (?) AND slot.node_name IN (?)
    AND IF(slot.node_name = '', slot.target_id IN (?), slot.target_id IN (?))
    AND slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND
    AND (slot.stripe IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND (job.job_id, job.revision) NOT IN (?)
  ORDER BY slot.next_run_at LIMIT ?`;
const selectPending = `/* claimSlots pending */ SELECT pending_id, job_id, node_name, triggered_by,
    scheduled_for, attempt, request_id, not_before
  FROM pending WHERE job_id IN (?) ORDER BY not_before, pending_id`;
const deletePending = '/* claimSlots taken */ DELETE FROM pending WHERE pending_id IN (?)';
const prepareStatement = `/* claimSlots */ UPDATE (
    SELECT ? AS slot_id, ? AS launch_id, ? AS triggered_by, ? AS attempt, ? AS request_id,
      ? AS scheduled_for, ? AS cursor_at, ? AS revision/* rows */
  ) claimed STRAIGHT_JOIN slot ON slot.slot_id = claimed.slot_id
  SET slot.state = 'prepare', slot.launch_id = claimed.launch_id, slot.session_id = ?,
    slot.revision = claimed.revision, slot.triggered_by = claimed.triggered_by,
    slot.attempt = claimed.attempt, slot.request_id = claimed.request_id,
    slot.scheduled_for = claimed.scheduled_for,
    slot.next_run_at = GREATEST(CAST(claimed.scheduled_for AS DATETIME(3)), NOW(3)),
    slot.cursor_at = claimed.cursor_at
  WHERE slot.state = 'idle'`;
const moveCursor = `/* claimSlots cursor */ UPDATE slot SET cursor_at = ?, ${idleAssignments}
  WHERE slot_id = ? AND state = 'idle'`;
