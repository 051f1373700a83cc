import type { ClaimRequest, Verdict } from '../../domain/batch.ts';
import type { Launch } from '../../domain/launch.ts';
import { claimForSlot } from '../../domain/slotsPast.ts';
import { limitedAheadMs } from '../../domain/targeting/takeable.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { tellMissed } from '../notices/tellMissed.ts';
import { keepWithinLimits, leaveFullOut, limitedTargets } from '../targeting/groupLimits.ts';
import { explainMissed } from './explainMissed.ts';
import { pastKey, readPasts } from './readPasts.ts';
import { readRequestEnvs, withRequestEnv } from './requestDetails.ts';
import type { Revision } from './revisionCache.ts';
import type { SlotContext } from './slotContext.ts';
import { type Claimed, writeClaims } from './writeClaims.ts';

/**
 * idle → prepare for what is due within the horizon on the stripes held: the launch takes the
 * earlier of cursor and pending, the cursor moves on, and every tick that it passes is written as a
 * range row, or as a pending launch that waits its turn, in the same transaction (P19). Costs the
 * same with a thousand idle rows and with a million: the index slot_by_due is read from its start,
 * in order, up to the limit.
 */
export async function claimSlots(
  connection: ChannelConnection,
  context: SlotContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<Verdict> {
  const [due, surplus] = partition(await readDue(connection, context, request, held), isWanted);
  if (surplus.length > 0) {
    await connection.change(deleteSurplus, [surplus.map(({ row }) => row.slot_id as number)]);
  }
  const pasts = await readPasts(connection, due, context.nodeName);
  const own = new Set(request.stripes);
  const claimed = due.flatMap(({ row, revision }): Claimed[] => {
    const past = pasts.get(pastKey(row));
    if (past === undefined) throw new Error('claimSlots: a slot without a past');
    const { definition, ticks } = revision;
    const nowMs = (row.now_at as Date).getTime();
    const aheadMs = own.has(row.stripe as number) ? request.aheadMs : request.aheadAnywhereMs;
    const claim = claimForSlot(past, { definition, ticks, nowMs, aheadMs });
    if (claim === null) return [];
    const launchId = claim.decision.launch === null ? '' : context.nextLaunchId();
    return [{ ...claim, row, revision, launchId, isParallel: past.isParallel }];
  });
  const passedBy = claimed.map(({ row, decision: { ranges } }) => ({ row, ranges }));
  await explainMissed(connection, passedBy, context);
  const passed = await writeClaims(connection, context.sessionId, claimed);
  await tellMissed(connection, context.notices, claimed);
  const busyStripes = request.dueStripes.filter((stripe) => !held.has(stripe));
  const bare = claimed.filter(({ launchId }) => launchId !== '').map(launchOf);
  const envs = await readRequestEnvs(connection, bare);
  const launches = bare.map((launch) => ({
    ...launch,
    definition: withRequestEnv(launch.definition, launch, envs),
  }));
  return { verdict: 'claimed', launches, passed, busyStripes };
}

interface DueSlot {
  readonly row: Row;
  readonly revision: Revision;
}

/** An edit may have left fewer slots side by side; one that executed then goes when it is idle. */
function isWanted({ row, revision }: DueSlot): boolean {
  return (row.slot_no as number) < (revision.definition.parallel ?? 1);
}

/** What is due and understood; a job that is not stays as it is, for nodes of another version. */
async function readDue(
  connection: ChannelConnection,
  { fullAt, nodeName, revisions, sessionId, targeting }: SlotContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<DueSlot[]> {
  const stripes = request.dueStripes.filter((stripe) => held.has(stripe));
  if (stripes.length === 0 || request.slotsMax <= 0) return [];
  const allowed = await targeting.takeable(connection, sessionId);
  const takeable = await leaveFullOut(connection, allowed, fullAt);
  const own = request.stripes.length === 0 ? [-1] : request.stripes;
  const found = await connection.query<Row[]>(selectDue, [
    stripes,
    ['', nodeName],
    takeable.anywhere,
    takeable.pinned,
    takeable.isBeside,
    limitedTargets(takeable),
    limitedAheadMs * 1000,
    request.aheadMs * 1000,
    own,
    request.aheadAnywhereMs * 1000,
    revisions.foreign.pairs(),
    request.slotsMax,
  ]);
  const rows = await keepWithinLimits(connection, takeable, found);
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

function launchOf({ row, revision, decision, launchId, startAtMs, taken }: Claimed): Launch {
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
    requestId: taken?.requestId || null,
    scheduledForMs: launch.scheduledForMs,
    startAtMs,
    cursorMs,
    definition: revision.definition,
  };
}

function partition<T>(all: readonly T[], test: (each: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((each) => !test(each))];
}

/** Exported for the test that shows its EXPLAIN. */
export const selectDue = `/* claimSlots due */ SELECT STRAIGHT_JOIN slot.slot_id, slot.job_id,
    slot.stripe, slot.node_name, slot.slot_no, slot.target_id, slot.cursor_at, slot.next_run_at,
    slot.ended_at, slot.last_started_at, job.revision AS job_revision, NOW(3) AS now_at
  FROM slot FORCE INDEX (slot_by_due) JOIN job ON job.job_id = slot.job_id
  WHERE slot.state = 'idle' AND slot.stripe IN (?) AND slot.node_name IN (?)
    AND IF(slot.node_name = '', slot.target_id IN (?), slot.target_id IN (?))
    AND (slot.node_name = '' OR job.every_node = 1 OR ?)
    AND (slot.target_id NOT IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND
    AND (slot.stripe IN (?) OR slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND)
    AND (job.job_id, job.revision) NOT IN (?)
  ORDER BY slot.next_run_at LIMIT ?`;
const deleteSurplus = `/* claimSlots surplus */ DELETE FROM slot
  WHERE slot_id IN (?) AND state = 'idle'`;
