import { stripeCount } from '../../run/stripes.ts';
import { type FindingLog, instantText } from '../rules/finding.ts';
import { isTickLaunch, type JobRecord, type SlotRecord } from '../rules/records.ts';
import type { VerifyScope } from '../rules/verifyScope.ts';

/** Everything about one slot that its own row, its session and its job tell; not its ticks. */
export function checkSlot(
  job: JobRecord,
  slot: SlotRecord,
  scope: VerifyScope,
  log: FindingLog,
): void {
  if (slot.stripe >= stripeCount) {
    log.add('slot_stripe', job.name, `its slot is on stripe ${slot.stripe}, which is none`);
  }
  if (slot.state === 'idle') checkIdle(job, slot, log);
  else checkHeld(job, slot, scope, log);
}

function checkIdle(job: JobRecord, slot: SlotRecord, log: FindingLog): void {
  const { launchId, sessionId, scheduledForMs, startedMs, trigger } = slot;
  const left = Object.entries({ launchId, sessionId, scheduledForMs, startedMs, trigger });
  const names = left.filter(([, value]) => value !== null).map(([name]) => name);
  if (names.length > 0) {
    const message = `its slot is idle, and still has ${names.join(', ')}`;
    log.add('slot_half_held', job.name, message, { launchId });
  }
}

function checkHeld(job: JobRecord, slot: SlotRecord, scope: VerifyScope, log: FindingLog): void {
  const { launchId, sessionId, scheduledForMs, startedMs, state, revision } = slot;
  const isExecuting = state === 'executing';
  const needed = { launchId, sessionId, scheduledForMs, revision, trigger: slot.trigger };
  const wanted = Object.entries(isExecuting ? { ...needed, startedMs } : needed);
  const lacking = wanted.filter(([, value]) => value === null).map(([name]) => name);
  if (lacking.length > 0) {
    const message = `its slot is ${state}, without ${lacking.join(', ')}`;
    log.add('slot_half_held', job.name, message, { launchId });
  }
  if (!isExecuting && startedMs !== null) {
    const message = `its slot is only prepared, and says that it started ${instantText(startedMs)}`;
    log.add('slot_half_held', job.name, message, { launchId });
  }
  if (startedMs !== null && scheduledForMs !== null && startedMs < scheduledForMs) {
    const message = earlyText(`launch ${launchId}, which executes,`, startedMs, scheduledForMs);
    log.add('run_early', job.name, message, { tickMs: scheduledForMs, launchId });
  }
  if (launchId !== null && sessionId !== null && !launchId.startsWith(`${sessionId}:`)) {
    const message = `launch ${launchId} stands in a slot of session ${sessionId}`;
    log.add('launch_foreign', job.name, message, { launchId });
  }
  if (slot.recorded !== null) {
    const other = slot.recorded.jobId === job.jobId ? '' : ` of job id ${slot.recorded.jobId}`;
    const row = `a run row ${slot.recorded.result}${other}`;
    const message = `launch ${launchId} is ${state}, and has ${row}`;
    log.add('slot_recorded', job.name, message, { launchId });
  }
  checkRevision(job, slot, log);
  checkHolder(job, slot, scope, log);
}

/** A change takes every prepared launch back, so that one stands under the revision in force. */
function checkRevision(job: JobRecord, slot: SlotRecord, log: FindingLog): void {
  const { launchId, revision, state } = slot;
  if (state !== 'prepare' || revision === null) return;
  if (revision !== job.revision) {
    const message =
      `launch ${launchId} is prepared with revision ${revision}, ` +
      `and ${job.revision} is in force`;
    log.add('run_after_revision', job.name, message, { launchId });
  } else if (mayNotBe(job, slot)) {
    const why = job.isRemoved ? 'removed' : 'paused';
    log.add('run_in_pause', job.name, `launch ${launchId} is prepared, and the job is ${why}`, {
      launchId,
    });
  }
}

/** Another attempt that an operator asks for may start in a pause. */
function mayNotBe({ isPaused, isRemoved }: JobRecord, slot: SlotRecord): boolean {
  return isTickLaunch(slot) && (isRemoved || (isPaused && slot.trigger !== 'retry'));
}

function checkHolder(job: JobRecord, slot: SlotRecord, scope: VerifyScope, log: FindingLog): void {
  const { session, sessionId, launchId, state } = slot;
  if (sessionId === null) return;
  if (session === null) {
    const message = `its slot is ${state} for session ${sessionId}, which has no row`;
    log.add('slot_without_session', job.name, message, { launchId });
    return;
  }
  const { endedMs, nodeName } = session;
  if (session.isLive || endedMs === null) return;
  const forMs = scope.nowMs - Math.max(endedMs, scope.reaperSinceMs ?? endedMs);
  if (forMs < freeingMsMax) return;
  const held = `its slot is ${state} for ${nodeName}, whose session ended ${instantText(endedMs)}`;
  log.add(scope.reaperSinceMs === null ? 'slot_waiting' : 'slot_stuck', job.name, held, {
    launchId,
  });
}

export function earlyText(what: string, startedMs: number, scheduledForMs: number): string {
  const early = scheduledForMs - startedMs;
  return `${what} started ${early} ms before its tick ${instantText(scheduledForMs)}`;
}

/** P11 after a session's end: a reaper's round of at most 3 s, and many waits for a lock. */
const freeingMsMax = 60_000;
