import type { ClaimRequest, Verdict } from '../../../src/domain/batch.ts';
import { type ClaimDecision, decideClaim } from '../../../src/domain/claimDecision.ts';
import type { Launch } from '../../../src/domain/launch.ts';
import { ticksOfRevision } from '../../../src/domain/revisionTicks.ts';
import type { Takeable } from '../../../src/domain/targeting/takeable.ts';
import type { TickRange, TickSource } from '../../../src/domain/tickSource.ts';
import type { Mutation } from '../scenario.ts';
import { makeIdle } from './releaseRows.ts';
import { type PendingRow, type RevisionRow, revisionKey, type SlotRow } from './tables.ts';
import { takeableRows } from './targetingRows.ts';
import type { Transaction } from './transaction.ts';

export interface StoreSession {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly nextLaunchId: () => string;
  /** A bug that is planted in this store, to see that it is found. */
  readonly mutation?: Mutation | null;
}

/** idle → prepare for what is due within the horizon, as `claimSlots` does it. */
export function claimRows(
  transaction: Transaction,
  session: StoreSession,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Verdict {
  const nowMs = transaction.nowMs();
  const launches: Launch[] = [];
  let passed = 0;
  for (const slot of dueRows(transaction, session, request, held)) {
    const job = transaction.jobs.get(slot.jobId);
    const revision = transaction.revisions.get(revisionKey(slot.jobId, job?.revision ?? 0));
    if (revision === undefined) throw new Error('a slot without a revision in force');
    const { cursorMs, endedMs } = slot;
    const isPassed = cursorMs !== null && endedMs !== null && endedMs >= cursorMs;
    const isRead = isPassed || slot.nextRunMs !== cursorMs;
    const pending = isRead ? earliestPending(transaction, slot) : null;
    const decision = decideClaim({ cursorMs, endedMs, pending }, ticksOf(revision), nowMs);
    insertRanges(transaction, slot, revision.revision, decision.ranges);
    passed += decision.ranges.length;
    if (decision.launch === null)
      makeIdle(transaction, slot, null, { cursorMs: decision.cursorMs });
    else launches.push(prepare(transaction, session, { slot, revision, decision, pending }));
  }
  return { verdict: 'claimed', launches, passed };
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
): SlotRow[] {
  const wanted = new Set(request.dueStripes.filter((stripe) => held.has(stripe)));
  if (wanted.size === 0 || request.slotsMax <= 0) return [];
  const slots = [...transaction.slots()].filter(({ stripe }) => wanted.has(stripe));
  const takeable = takeableRows(transaction, transaction.nowMs(), sessionId);
  return findDue(slots, transaction.nowMs(), { ...request, nodeName }, request.slotsMax, takeable);
}

function earliestPending(transaction: Transaction, slot: SlotRow): PendingRow | null {
  let earliest: PendingRow | null = null;
  for (const row of transaction.pending.rows()) {
    if (row.jobId !== slot.jobId || row.nodeName !== slot.nodeName) continue;
    if (earliest === null || row.notBeforeMs < earliest.notBeforeMs) earliest = row;
  }
  return earliest;
}

function prepare(
  transaction: Transaction,
  { sessionId, nextLaunchId }: StoreSession,
  claimed: {
    slot: SlotRow;
    revision: RevisionRow;
    decision: ClaimDecision;
    pending: PendingRow | null;
  },
): Launch {
  const { slot, revision, decision } = claimed;
  const { launch, cursorMs } = decision;
  if (launch === null) throw new Error('prepare without a launch');
  const taken = launch.fromPending ? claimed.pending : null;
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
  const nextRunMs = Math.max(scheduledForMs, transaction.nowMs());
  transaction.putSlot({ ...slot, ...same, state: 'prepare', sessionId, nextRunMs }, 'claim');
  return {
    ...same,
    slotId: slot.slotId,
    jobId: slot.jobId,
    stripe: slot.stripe,
    slotNodeName: slot.nodeName,
    slotNo: slot.slotNo,
    definition: revision.definition,
  };
}
