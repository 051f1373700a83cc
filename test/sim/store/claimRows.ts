import type { ClaimRequest, Verdict } from '../../../src/domain/commit/batch.ts';
import {
  claimForSlot,
  type SlotClaim,
  type SlotsPast,
} from '../../../src/domain/policies/slotsPast.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import type { TickRange, TickSource } from '../../../src/domain/run/tickSource.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import {
  limitedAheadMs,
  type Takeable,
  withinLimits,
} from '../../../src/domain/targeting/takeable.ts';
import type { Mutation } from '../scenario.ts';
import { isSibling, queueTicks, readPast } from './pastRows.ts';
import { makeIdle } from './releaseRows.ts';
import { type PendingRow, type RevisionRow, revisionKey, type SlotRow } from './tables.ts';
import { heldRows, takeableRows } from './targetingRows.ts';
import type { Transaction } from './transaction.ts';

export interface StoreSession {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly nextLaunchId: () => string;
  /** A bug that is planted in this store, to see that it is found. */
  readonly mutation?: Mutation | null;
}

/** Takes those locks of groups of jobs that are free, and returns which. */
export type LockGroups = (groups: readonly string[]) => ReadonlySet<string>;

/** idle → prepare for what is due within the horizon, as `claimSlots` does it. */
export function claimRows(
  transaction: Transaction,
  session: StoreSession,
  request: ClaimRequest,
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): Verdict {
  const nowMs = transaction.nowMs();
  const launches: Launch[] = [];
  const pasts = new Map<string, SlotsPast<PendingRow>>();
  const own = new Set(request.stripes);
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
    const key = `${slot.jobId}:${slot.nodeName}`;
    const past = pasts.get(key) ?? readPast(transaction, slot, revision);
    pasts.set(key, past);
    const aheadMs = own.has(slot.stripe) ? request.aheadMs : request.aheadAnywhereMs;
    const ticks = ticksOf(revision);
    const claim = claimForSlot(past, { definition, ticks, nowMs, aheadMs });
    if (claim === null) continue;
    passed += claim.decision.ranges.length;
    const launch = writeClaim(transaction, session, { slot, revision, claim, past });
    if (launch !== null) launches.push(launch);
  }
  return { verdict: 'claimed', launches, passed };
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
  for (const each of [...transaction.slots()].filter((other) => isSibling(other, slot))) {
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

/** The slots that a look within the horizon finds, the earliest first. */
export function findDue(
  slots: Iterable<SlotRow>,
  nowMs: number,
  horizon: {
    readonly nodeName: string;
    readonly stripes: readonly number[];
    readonly aheadMs: number;
    readonly aheadAnywhereMs: number;
  },
  slotsMax: number,
  takeable: Takeable,
): SlotRow[] {
  const own = new Set(horizon.stripes);
  const found: SlotRow[] = [];
  for (const slot of slots) {
    if (slot.state !== 'idle' || slot.nextRunMs === null) continue;
    if (slot.nodeName !== '' && slot.nodeName !== horizon.nodeName) continue;
    const targets = slot.nodeName === '' ? takeable.anywhere : takeable.pinned;
    if (!targets.includes(slot.targetId)) continue;
    const isLimited = takeable.limited.some(({ targetIds }) => targetIds.includes(slot.targetId));
    if (isLimited && slot.nextRunMs > nowMs + limitedAheadMs) continue;
    const aheadMs = own.has(slot.stripe)
      ? horizon.aheadMs
      : Math.min(horizon.aheadMs, horizon.aheadAnywhereMs);
    if (slot.nextRunMs <= nowMs + aheadMs) found.push(slot);
  }
  found.sort((one, other) => (one.nextRunMs ?? 0) - (other.nextRunMs ?? 0));
  return found.slice(0, Math.max(0, slotsMax));
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

function dueRows(
  transaction: Transaction,
  { nodeName, sessionId }: StoreSession,
  request: ClaimRequest,
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): SlotRow[] {
  const wanted = new Set(request.dueStripes.filter((stripe) => held.has(stripe)));
  if (wanted.size === 0 || request.slotsMax <= 0) return [];
  const takeable = takeableRows(transaction, transaction.nowMs(), sessionId);
  const isOurs = ({ nodeName: name, jobId }: SlotRow): boolean =>
    name === '' || takeable.isBeside || transaction.jobs.get(jobId)?.isEveryNode === true;
  const slots = [...transaction.slots()].filter((slot) => wanted.has(slot.stripe) && isOurs(slot));
  const horizon = { ...request, nodeName };
  const due = findDue(slots, transaction.nowMs(), horizon, request.slotsMax, takeable);
  if (takeable.limited.length === 0) return due;
  const locked = lockGroups(takeable.limited.map(({ group }) => group));
  return withinLimits(due, ({ targetId }) => targetId, takeable, heldRows(transaction), locked);
}

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
