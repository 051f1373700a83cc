import type { ClaimRequest, Verdict } from '../../../src/domain/commit/batch.ts';
import {
  claimForSlot,
  type SlotClaim,
  type SlotsPast,
} from '../../../src/domain/policies/slotsPast.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { ownsSlot } from '../../../src/domain/run/share.ts';
import type { TickRange, TickSource } from '../../../src/domain/run/tickSource.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import { dueRows, type LockGroups } from './dueRows.ts';
import type { StoreSession } from './nodeCaches.ts';
import { isSibling, queueTicks, readPast } from './pastRows.ts';
import { makeIdle } from './releaseRows.ts';
import { type PendingRow, type RevisionRow, revisionKey, type SlotRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

/** idle → prepare for what is due within the horizon, as `claimSlots` does it. */
export function claimRows(
  transaction: Transaction,
  session: StoreSession,
  request: ClaimRequest,
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): Verdict {
  const nowMs = transaction.nowMs();
  transaction.count('claims');
  const launches: Launch[] = [];
  const pasts = new Map<string, SlotsPast<PendingRow>>();
  let passed = 0;
  for (const slot of dueRows(transaction, session, request, held, lockGroups)) {
    const job = transaction.jobs.get(slot.jobId);
    const revision = transaction.revisions.get(revisionKey(slot.jobId, job?.revision ?? 0));
    if (revision === undefined) throw new Error('a slot without a revision in force');
    const { definition } = revision;
    if (slot.slotNo >= (definition.parallel ?? 1)) {
      transaction.removeSlot(slot.slotId);
      continue;
    }
    if (session.caches?.isNewRevision(revisionKey(slot.jobId, revision.revision)) === true) {
      transaction.count('newRevisions');
    }
    const key = `${slot.jobId}:${slot.nodeName}`;
    const past = pasts.get(key) ?? readPast(transaction, slot, revision);
    pasts.set(key, past);
    const aheadMs = ownsSlot(request.share, slot) ? request.aheadMs : request.aheadAnywhereMs;
    const ticks = ticksOf(revision);
    const claim = claimForSlot(past, { definition, ticks, nowMs, aheadMs });
    if (claim === null) continue;
    passed += claim.decision.ranges.length;
    countClaim(transaction, claim.decision);
    const launch = writeClaim(transaction, session, { slot, revision, claim, past });
    if (launch !== null) launches.push(launch);
  }
  return { verdict: 'claimed', launches, passed };
}

function countClaim(
  transaction: Transaction,
  { launch, ranges }: SlotClaim<PendingRow>['decision'],
): void {
  transaction.count(launch === null ? 'cursors' : 'launched');
  transaction.count('ranges', ranges.length);
  const missed = ranges.filter(({ reason }) => reason === reasons.nobodyThere);
  transaction.count('missed', missed.length);
  if (missed.length > 0 && transaction.counts.of('liveSessions') === 0) {
    transaction.count('liveSessions', [...transaction.openSessions()].length);
  }
}

/** What a claim of one slot writes, as `writeClaims` does it. */
function writeClaim(
  transaction: Transaction,
  session: StoreSession,
  claimed: ClaimedRow & { readonly past: SlotsPast<PendingRow> },
): Launch | null {
  const { slot, revision, claim, past } = claimed;
  const { decision, late } = claim;
  insertRanges(transaction, slot, revision.revision, decision.ranges);
  queueTicks(transaction, slot, decision.queued);
  for (const pending of late) endLate(transaction, revision.revision, pending);
  const { cursorMs } = decision;
  const launch = decision.launch === null ? null : prepare(transaction, session, claimed);
  if (!past.isParallel) {
    if (launch === null) makeIdle(transaction, slot, null, { cursorMs });
    return launch;
  }
  const siblings = transaction.slotsOfJob(slot.jobId).filter((other) => isSibling(other, slot));
  for (const each of siblings) {
    if (each.state === 'idle') makeIdle(transaction, each, null, { cursorMs });
    else transaction.putSlot({ ...each, cursorMs });
  }
  return launch;
}

/** A pending launch whose start deadline is over. */
function endLate(transaction: Transaction, revision: number, pending: PendingRow): void {
  const { jobId, nodeName, trigger, requestId, attempt, scheduledForMs, pendingId } = pending;
  transaction.insertRun({
    jobId,
    revision,
    nodeName,
    slotNo: 0,
    launchId: null,
    sessionId: null,
    trigger,
    requestId: requestId || null,
    attempt,
    isFinal: true,
    scheduledForMs,
    scheduledUntilMs: null,
    ticks: 1,
    startedMs: null,
    result: 'missed',
    exitCode: null,
    reason: reasons.tooLate,
  });
  transaction.pending.remove(pendingId);
}

/** One history row for each range of ticks that ended without a launch. */
export function insertRanges(
  transaction: Transaction,
  slot: SlotRow,
  revision: number,
  ranges: readonly TickRange[],
): void {
  for (const { result, fromMs, untilMs, ticks, reason } of ranges) {
    transaction.insertRun({
      jobId: slot.jobId,
      revision,
      nodeName: slot.nodeName,
      slotNo: slot.slotNo,
      launchId: null,
      sessionId: null,
      trigger: 'schedule',
      requestId: null,
      attempt: 1,
      isFinal: true,
      scheduledForMs: fromMs,
      scheduledUntilMs: untilMs,
      ticks,
      startedMs: null,
      result,
      exitCode: null,
      reason,
    });
  }
}

/** The ticks of a revision, read once: a row of it never changes but for its end. */
export function ticksOf(revision: RevisionRow): TickSource {
  const { definition, inForceFromMs } = revision;
  const known = tickSources.get(definition);
  if (known !== undefined && known.inForceFromMs === inForceFromMs) return known.ticks;
  const ticks = ticksOfRevision(definition, inForceFromMs);
  tickSources.set(definition, { inForceFromMs, ticks });
  return ticks;
}

const tickSources = new WeakMap<object, { inForceFromMs: number; ticks: TickSource }>();

interface ClaimedRow {
  readonly slot: SlotRow;
  readonly revision: RevisionRow;
  readonly claim: SlotClaim<PendingRow>;
}

function prepare(
  transaction: Transaction,
  { sessionId, nextLaunchId }: StoreSession,
  { slot, revision, claim }: ClaimedRow,
): Launch {
  const { startAtMs, taken } = claim;
  const { launch, cursorMs } = claim.decision;
  if (launch === null) throw new Error('prepare without a launch');
  if (taken !== null) transaction.pending.remove(taken.pendingId);
  const { trigger, attempt, scheduledForMs } = launch;
  const same = {
    launchId: nextLaunchId(),
    revision: revision.revision,
    trigger,
    attempt,
    requestId: taken?.requestId || null,
    scheduledForMs,
    cursorMs,
  };
  const nextRunMs = Math.max(startAtMs, transaction.nowMs());
  transaction.putSlot({ ...slot, ...same, state: 'prepare', sessionId, nextRunMs }, 'claim');
  return {
    ...same,
    slotId: slot.slotId,
    jobId: slot.jobId,
    stripe: slot.stripe,
    slotNodeName: slot.nodeName,
    slotNo: slot.slotNo,
    startAtMs,
    definition: revision.definition,
  };
}
