import type { CleanJob } from './cleanJob.ts';
import { isOut } from './cleanJob.ts';
import {
  bootStartMs,
  type CleanPlan,
  type CleanSession,
  databaseStartMs,
  type PlannedOperation,
} from './cleanWorld.ts';

export const operatorConnection = 9_000;

/**
 * Lives a job through a plan: claims half a second ahead, starts at the tick, skips what falls into
 * a run, makes up once for what was missed, loses what a dead node ran, and does what is asked.
 */
export function liveJob(
  job: CleanJob,
  plan: CleanPlan,
  sessions: readonly CleanSession[],
  random: () => number,
): void {
  const readMs = bootStartMs + plan.untilMs;
  const operations = [...job.plan.operations].sort((a, b) => a.atMs - b.atMs);
  let freeMs = bootStartMs + 200;
  for (;;) {
    const cursorMs = job.moment.cursorDatabaseMs;
    const dueMs = cursorMs === null ? Infinity : bootOf(plan, cursorMs, freeMs);
    const claimMs = whenOpen(plan, Math.max(freeMs, dueMs - 500));
    const operation = operations[0];
    if (operation !== undefined && bootStartMs + operation.atMs <= claimMs) {
      operations.shift();
      const atMs = whenOpen(plan, Math.max(freeMs, bootStartMs + operation.atMs));
      if (atMs > readMs - 2_000) return;
      freeMs = operate(job, operation, atMs, sessions, random);
      if (job.isGone) return;
      continue;
    }
    if (claimMs > readMs - 10 || cursorMs === null) return;
    freeMs = runTick(job, { claimMs, dueMs, readMs }, sessions, random, operations);
    if (freeMs > readMs) return;
  }
}

/** When the database's clock, which may be stepped, comes to an instant that is not over. */
export function bootOf({ step }: CleanPlan, databaseMs: number, freeMs: number): number {
  const atMs = databaseMs - databaseStartMs + bootStartMs;
  const stepMs = bootStartMs + (step?.atMs ?? Number.POSITIVE_INFINITY);
  if (atMs < stepMs && freeMs < stepMs) return atMs;
  return Math.max(stepMs, atMs - (step?.byMs ?? 0));
}

export function whenOpen(plan: CleanPlan, atMs: number): number {
  if (!isOut(plan, atMs)) return atMs;
  return bootStartMs + (plan.outage?.untilMs ?? 0) + 300;
}

export function sessionAt(
  sessions: readonly CleanSession[],
  atMs: number,
  random: () => number,
): CleanSession {
  const acting = sessions.filter((each) => each.joinedMs < atMs && atMs < each.actsUntilMs);
  const session = acting[Math.floor(random() * acting.length)];
  if (session === undefined) throw new Error(`no session acts at ${atMs - bootStartMs} ms`);
  return session;
}

interface Times {
  readonly claimMs: number;
  readonly dueMs: number;
  readonly readMs: number;
}

/** One claim by cursor and all that follows from it; answers when the slot is free again. */
function runTick(
  job: CleanJob,
  { claimMs, dueMs, readMs }: Times,
  sessions: readonly CleanSession[],
  random: () => number,
  operations: PlannedOperation[],
): number {
  const named = job.named();
  const session = sessionAt(sessions, claimMs, random);
  const nowMs = job.db(claimMs);
  let tickMs = job.moment.cursorDatabaseMs ?? 0;
  let isMakeUp = false;
  for (;;) {
    const nextMs = named.next(tickMs);
    if (nextMs === null || nextMs > nowMs) break;
    isMakeUp = true;
    tickMs = nextMs;
  }
  if (isMakeUp) {
    const firstMs = job.moment.cursorDatabaseMs ?? 0;
    let lastMs = firstMs;
    for (;;) {
      const nextMs = named.next(lastMs);
      if (nextMs === null || nextMs >= tickMs) break;
      lastMs = nextMs;
    }
    job.pass(claimMs, 'missed', firstMs, lastMs);
  }
  job.trigger = isMakeUp ? 'misfire' : 'schedule';
  job.requestId = null;
  job.claim(claimMs, session, tickMs, named.next(tickMs));
  const startMs = Math.max(dueMs, claimMs) + 2;
  const taken = withdraw(job, claimMs, startMs, operations);
  if (taken !== null) return taken;
  if (startMs > readMs) return startMs;
  return execute(job, session, { startMs, readMs, lateMs: random() * 20 }, sessions);
}

/** An operation that comes while the launch is prepared takes it back first. */
function withdraw(
  job: CleanJob,
  claimMs: number,
  startMs: number,
  operations: readonly PlannedOperation[],
): number | null {
  const [next] = operations;
  if (next === undefined || bootStartMs + next.atMs > startMs) return null;
  const atMs = bootStartMs + next.atMs;
  // A reset of the compensator's, a moment before: what the operation meets is idle.
  const tickMs = job.moment.scheduledForDatabaseMs;
  job.free((claimMs + atMs) / 2, operatorConnection, tickMs);
  return atMs;
}

interface Execution {
  readonly startMs: number;
  readonly readMs: number;
  readonly lateMs: number;
}

/** From the start, or from the death of the node before it, to idle. */
function execute(
  job: CleanJob,
  session: CleanSession,
  { startMs, readMs, lateMs }: Execution,
  sessions: readonly CleanSession[],
): number {
  const tickMs = job.moment.scheduledForDatabaseMs;
  const cursorMs = job.moment.cursorDatabaseMs;
  const isTick = job.trigger !== 'manual';
  if (startMs >= session.actsUntilMs) {
    const isDead = session.diedMs !== null;
    const atMs = isDead ? (session.endedMs ?? 0) + 150 : session.actsUntilMs + 20;
    const by = isDead ? other(sessions, session, atMs) : session.connectionId;
    if (atMs > readMs) return atMs;
    job.free(atMs, by, isTick ? tickMs : cursorMs);
    return atMs + 50;
  }
  job.start(startMs, session);
  const childMs = startMs + 4 + lateMs;
  const endMs = childMs + job.plan.runMs;
  const startedDatabaseMs = job.db(startMs);
  const { diedMs, endedMs } = session;
  if (diedMs !== null && diedMs <= endMs + 6) {
    if (childMs < diedMs) job.child(session, childMs, Math.min(endMs, diedMs), null);
    const reapedMs = (endedMs ?? 0) + 150;
    job.tell(reapedMs, 'lost', { startedDatabaseMs });
    job.free(reapedMs, other(sessions, session, reapedMs), cursorMs);
    // Nothing of it lived longer than its TTL; the ticks after that are missed.
    return skip(job, reapedMs + 50, job.db(reapedMs));
  }
  if (endMs + 6 > readMs) {
    job.child(session, childMs, readMs, null);
    return readMs + 1;
  }
  const exitCode = tickMs !== null && (tickMs / 1_000) % 7 === 0 ? 3 : 0;
  job.child(session, childMs, endMs, exitCode);
  const result = exitCode === 0 ? 'succeeded' : 'failed';
  job.tell(endMs + 6, result, { startedDatabaseMs, exitCode });
  job.free(endMs + 6, session.connectionId, cursorMs);
  return skip(job, endMs + 8, job.db(endMs + 6));
}

export function other(sessions: readonly CleanSession[], dead: CleanSession, atMs: number): number {
  const reaper = sessions.find(
    (each) => each !== dead && each.joinedMs < atMs && atMs < each.actsUntilMs,
  );
  return reaper?.connectionId ?? operatorConnection;
}

/** The ticks that fell into a run, passed by a claim without a launch. */
function skip(job: CleanJob, atMs: number, untilDatabaseMs: number): number {
  const named = job.named();
  const firstMs = job.moment.cursorDatabaseMs;
  if (firstMs === null || firstMs > untilDatabaseMs) return atMs;
  let lastMs = firstMs;
  for (;;) {
    const nextMs = named.next(lastMs);
    if (nextMs === null || nextMs > untilDatabaseMs) break;
    lastMs = nextMs;
  }
  job.pass(atMs, 'skipped', firstMs, lastMs);
  job.change(atMs, operatorConnection, { cursorDatabaseMs: named.next(lastMs) });
  return atMs + 1;
}

/** What an operator asks of an idle slot; answers when the slot is free again. */
function operate(
  job: CleanJob,
  operation: PlannedOperation,
  atMs: number,
  sessions: readonly CleanSession[],
  random: () => number,
): number {
  const { kind } = operation;
  if (kind === 'run') {
    const requestId = `request-${job.jobId}-${job.operations.length}`;
    job.operate('run', atMs, null, requestId);
    const session = sessionAt(sessions, atMs + 20, random);
    job.trigger = 'manual';
    job.requestId = requestId;
    job.claim(atMs + 20, session, job.db(atMs), job.moment.cursorDatabaseMs);
    return execute(job, session, { startMs: atMs + 25, readMs: Infinity, lateMs: 0 }, sessions);
  }
  // What is due and nobody has claimed ends here, a moment before.
  skip(job, atMs - 0.001, Math.ceil(job.db(atMs)) - 1);
  const schedule = operation.schedule ?? job.plan.schedule;
  const isPaused = kind === 'pause' || kind === 'remove';
  job.revise(atMs, schedule, isPaused, kind === 'remove');
  job.operate(kind, atMs, kind === 'remove' ? null : job.revision);
  const cursorMs = isPaused ? null : job.named().next(Math.ceil(job.db(atMs)) - 1);
  job.change(atMs, operatorConnection, { cursorDatabaseMs: cursorMs });
  job.isGone = kind === 'remove';
  return atMs + 10;
}
