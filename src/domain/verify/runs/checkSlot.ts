import { isTickLaunch } from '../../run/run.ts';
import { stripeCount } from '../../run/stripes.ts';
import { instantText } from '../rules/finding.ts';
import type { JobCheck } from '../rules/jobCheck.ts';
import type { JobRecord, PendingRecord, SlotRecord } from '../rules/records.ts';
import type { RuleCode } from '../rules/verifyRules.ts';
import type { VerifyScope } from '../rules/verifyScope.ts';

type Report = (code: RuleCode, message: string) => void;

/** Everything about one slot that its own row, its session and its job show; not its ticks. */
export function checkSlot(check: JobCheck, slot: SlotRecord): void {
  if (slot.stripe >= stripeCount) {
    check.report('slot_stripe', `its slot is on stripe ${slot.stripe}, which is none`);
  }
  const { launchId, scheduledForMs, startedMs, state } = slot;
  const report: Report = (code, message) => check.report(code, message, { launchId });
  if (state === 'idle') {
    checkIdle(slot, report);
    return;
  }
  checkHeld(slot, report);
  if (startedMs !== null && scheduledForMs !== null && startedMs < scheduledForMs) {
    const message = `launch ${launchId}, which executes, ${earlyText(startedMs, scheduledForMs)}`;
    check.reportLaunch('run_early', message, { scheduledForMs, launchId });
  }
  checkLaunch(check.job, slot, report);
  checkRevision(check.job, slot, report);
  checkHolder(slot, check.scope, report);
}

function checkIdle(slot: SlotRecord, report: Report): void {
  const { launchId, sessionId, scheduledForMs, startedMs, trigger } = slot;
  const left = Object.entries({ launchId, sessionId, scheduledForMs, startedMs, trigger });
  const names = left.filter(([, value]) => value !== null).map(([name]) => name);
  if (names.length > 0) {
    report('slot_half_held', `its slot is idle, and still has ${names.join(', ')}`);
  }
}

function checkHeld(slot: SlotRecord, report: Report): void {
  const { launchId, sessionId, scheduledForMs, startedMs, state, revision, trigger } = slot;
  const isExecuting = state === 'executing';
  const needed = { launchId, sessionId, scheduledForMs, revision, trigger };
  const wanted = Object.entries(isExecuting ? { ...needed, startedMs } : needed);
  const lacking = wanted.filter(([, value]) => value === null).map(([name]) => name);
  if (lacking.length > 0) {
    report('slot_half_held', `its slot is ${state}, without ${lacking.join(', ')}`);
  }
  if (!isExecuting && startedMs !== null) {
    const started = instantText(startedMs);
    report('slot_half_held', `its slot is only prepared, and says that it started ${started}`);
  }
}

function checkLaunch(job: JobRecord, slot: SlotRecord, report: Report): void {
  const { launchId, sessionId, state, recorded } = slot;
  if (launchId !== null && sessionId !== null && !launchId.startsWith(`${sessionId}:`)) {
    report('launch_foreign', `launch ${launchId} stands in a slot of session ${sessionId}`);
  }
  if (recorded !== null) {
    const other = recorded.jobId === job.jobId ? '' : ` of job id ${recorded.jobId}`;
    const row = `a run row ${recorded.result}${other}`;
    report('slot_recorded', `launch ${launchId} is ${state}, and has ${row}`);
  }
}

/** A change takes every prepared launch back, so that one stands under the revision in force. */
function checkRevision(job: JobRecord, slot: SlotRecord, report: Report): void {
  const { launchId, revision, state } = slot;
  if (state !== 'prepare' || revision === null) return;
  const prepared = `launch ${launchId} is prepared`;
  if (revision !== job.revision) {
    const message = `${prepared} with revision ${revision}, and ${job.revision} is in force`;
    report('run_after_revision', message);
  } else if (mayNotBe(job, slot)) {
    report('run_in_pause', `${prepared}, and the job is ${job.isRemoved ? 'removed' : 'paused'}`);
  }
}

/** Another attempt that an operator requests may start in a pause. */
function mayNotBe({ isPaused, isRemoved }: JobRecord, slot: SlotRecord): boolean {
  return isTickLaunch(slot) && (isRemoved || (isPaused && slot.trigger !== 'retry'));
}

function checkHolder(slot: SlotRecord, scope: VerifyScope, report: Report): void {
  const { session, sessionId, state } = slot;
  if (sessionId === null) return;
  if (session === null) {
    const message = `its slot is ${state} for session ${sessionId}, which has no row`;
    report('slot_without_session', message);
    return;
  }
  const { endedMs, nodeName } = session;
  if (session.isLive || endedMs === null) return;
  const forMs = scope.nowMs - Math.max(endedMs, scope.reaperSinceMs ?? endedMs);
  if (forMs < freeingMsMax) return;
  const held = `its slot is ${state} for ${nodeName}, whose session ended ${instantText(endedMs)}`;
  report(scope.reaperSinceMs === null ? 'slot_waiting' : 'slot_stuck', held);
}

/** P11 after a session's end: a reaper's round of at most 3 s, and many waits for a lock. */
const freeingMsMax = 60_000;

export function earlyText(startedMs: number, scheduledForMs: number): string {
  const early = scheduledForMs - startedMs;
  return `started ${early} ms before its tick ${instantText(scheduledForMs)}`;
}

/**
 * Nodes look for what is due by `next_run_at`: of the idle slots that share a cursor one at least
 * says the earliest that any of them may take, or less. Earlier than need be costs a look; later,
 * or never, costs a run.
 */
export function checkDue(
  check: JobCheck,
  slots: readonly SlotRecord[],
  pending: readonly PendingRecord[],
): void {
  for (const nodeName of new Set(slots.map((slot) => slot.nodeName))) {
    const own = slots.filter((slot) => slot.nodeName === nodeName);
    const idle = own.filter(({ state }) => state === 'idle');
    if (idle.length === 0) continue;
    const waiting = pending.filter((request) => request.nodeName === nodeName);
    const waits = waiting.map(({ notBeforeMs }) => notBeforeMs);
    const dueMs = earliest([...waits, ...own.map(({ cursorMs }) => cursorMs)]);
    const saidMs = earliest(idle.map(({ nextRunMs }) => nextRunMs));
    if (dueMs === null || (saidMs !== null && saidMs <= dueMs)) continue;
    const said = saidMs === null ? 'never' : instantText(saidMs);
    const message = `it is due at ${instantText(dueMs)}, and its slot says ${said}`;
    check.report('slot_not_due', message, { tickMs: dueMs });
  }
}

/** The earliest of those that are known, or null. */
export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
