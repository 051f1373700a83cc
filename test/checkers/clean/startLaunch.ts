import { nextAttempt } from '../../../src/domain/policies/nextAttempt.ts';
import { countRun, whyPaused } from '../../../src/domain/policies/runLimit.ts';
import { startBefore } from '../../../src/domain/policies/startAt.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { RunResult, Trigger } from '../../../src/domain/run/run.ts';
import type { CleanSession } from './cleanWorld.ts';
import { bootOf, other } from './liveJob.ts';
import { type PlaceLife, type PolicyLife, pauseItself, ticksOf } from './policyLife.ts';

/** From the start on: its end, by itself, a later tick or its node's death, is one more event. */
export function startLaunch(
  life: PolicyLife,
  place: PlaceLife,
  session: CleanSession,
  startMs: number,
): void {
  const { job, random } = life;
  const slot = job.use(place.place);
  const { scheduledForDatabaseMs: tickMs } = slot.moment;
  const trigger = slot.trigger as Trigger;
  const beforeMs = startBefore(job.policies, { trigger, scheduledForMs: tickMs ?? 0 }, startMs);
  if (beforeMs !== null && job.db(startMs) > beforeMs && trigger !== 'retry') {
    endLaunch(life, place, startMs, { result: 'missed', session, reason: reasons.tooLate });
    return;
  }
  job.start(startMs, session);
  place.startedDatabaseMs = job.db(startMs);
  const startedDatabaseMs = place.startedDatabaseMs;
  const childMs = startMs + 4 + random() * 20;
  const replacedMs = replacedAt(life, childMs);
  const endMs = Math.min(childMs + job.plan.runMs, replacedMs ?? Infinity);
  const { diedMs, endedMs } = session;
  if (diedMs !== null && diedMs <= endMs + 6) {
    if (childMs < diedMs) job.child(session, childMs, Math.min(endMs, diedMs), null);
    const reapedMs = (endedMs ?? 0) + 150;
    const act = () =>
      endLaunch(life, place, reapedMs, { result: 'lost', session, startedDatabaseMs });
    life.events.push({ atMs: reapedMs, act });
    return;
  }
  if (endMs + 6 > life.readMs - 10) {
    job.child(session, childMs, life.readMs, null);
    return;
  }
  if (endMs === replacedMs) {
    job.child(session, childMs, endMs, null);
    const overlap = job.policies.overlap === 'terminate' ? 'terminate' : 'replace';
    const reason = reasons.replaced(overlap);
    const end = { result: 'stopped', session, startedDatabaseMs, reason } as const;
    life.events.push({ atMs: endMs + 6, act: () => endLaunch(life, place, endMs + 6, end) });
    return;
  }
  const exitCode = ((tickMs ?? 0) / 1_000) % (3 * slot.attempt) === 0 ? 3 : 0;
  job.child(session, childMs, endMs, exitCode);
  const result = exitCode === 0 ? 'succeeded' : 'failed';
  const end = { result, session, startedDatabaseMs, exitCode } as const;
  life.events.push({ atMs: endMs + 6, act: () => endLaunch(life, place, endMs + 6, end) });
}

/** When the job's next tick has its run stopped and gone, or null. */
function replacedAt({ job, plan }: PolicyLife, childMs: number): number | null {
  const { overlap } = job.policies;
  if (overlap !== 'replace' && overlap !== 'terminate') return null;
  const nextMs = ticksOf(job).next(job.db(childMs));
  const stoppingMs = overlap === 'replace' ? 180 : 30;
  return nextMs === null ? null : bootOf(plan, nextMs, childMs) + stoppingMs;
}

interface End {
  readonly session: CleanSession;
  readonly result?: RunResult;
  readonly startedDatabaseMs?: number;
  readonly exitCode?: number;
  readonly reason?: string;
  /** It never started, and its tick waits until then. */
  readonly putBack?: number;
}

/** Any way back to idle, with what comes after it. */
export function endLaunch(life: PolicyLife, place: PlaceLife, atMs: number, end: End): void {
  const { job, random, sessions } = life;
  const { session, result, putBack, ...told } = end;
  const slot = job.use(place.place);
  const trigger = slot.trigger as Trigger;
  const { cursorDatabaseMs, scheduledForDatabaseMs: tick } = slot.moment;
  const scheduledForMs = tick ?? 0;
  const isTaken = result === 'lost' || (putBack !== undefined && session.diedMs !== null);
  const by = isTaken ? other(sessions, session, atMs) : session.connectionId;
  Object.assign(place, { isIdle: true, freeMs: atMs + 30 });
  if (result === undefined) {
    const isDirect = trigger === 'schedule' || trigger === 'misfire';
    const isCursor = isDirect && life.places.length === 1;
    job.free(atMs, by, isCursor ? scheduledForMs : cursorDatabaseMs);
    if (isCursor) return;
    const waits = { scheduledForMs, attempt: slot.attempt, notBeforeMs: putBack ?? scheduledForMs };
    life.pending.push({ trigger: isDirect ? 'queue' : trigger, ...waits });
    return;
  }
  const isOver = result === 'missed' || life.isPaused;
  const next = isOver ? null : nextAttempt(job.policies, result, slot.attempt, random());
  job.tell(atMs, result, { ...told, isFinal: next === null });
  job.free(atMs, by, cursorDatabaseMs);
  if (result === 'missed') return;
  place.endedDatabaseMs = job.db(atMs);
  if (next !== null) {
    const notBeforeMs = Math.ceil(job.db(atMs)) + next.delayMs;
    life.pending.push({ trigger: 'retry', scheduledForMs, attempt: next.attempt, notBeforeMs });
    return;
  }
  const counts = { ticksRun: life.ran, failuresInRow: life.failures };
  const counted = countRun(counts, { trigger, requestId: null, result });
  life.ran = counted.ticksRun;
  life.failures = counted.failuresInRow;
  const why = life.isPaused ? null : whyPaused(job.policies, counted);
  if (why !== null) pauseItself(life, atMs, why);
}
