import { exitCodes, OperatorError } from '../domain/errors/errors.ts';
import { sessionEnds } from '../domain/reasons/sessionEnd.ts';
import type { Runtime } from './runtime/runtime.ts';
import type { ActorClock } from './runtime/slicedClock.ts';
import { unknownWithoutLockRow } from './runtime/unknownWithoutLockRow.ts';

const lookPeriodMs = 500;

/**
 * Makes the session live. First the sessions are ended that the guardian has cleaned away, or that
 * are dead on this host. While another live session has the node's name, its beats are watched by
 * the own clock: one that stands still for its TTL is ended; one that renews is another node, and
 * this one is refused (OperatorError 75). A database that is away ends the first process of a node
 * (69); one that the guardian started again waits for it.
 */
export async function joinCluster(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { endedSessions, introduction, lease, store } = runtime;
  for (const { sessionId, why } of endedSessions) {
    await endSession(runtime, signal, sessionId, why ?? 'its guardian saw its process end');
  }
  for (;;) {
    await endSwept(runtime, signal);
    const sentBootMs = lease.noteRenewalSent();
    const outcome = await settle(runtime, signal, () => store.joinSession(introduction));
    if (outcome.outcome === 'committed') {
      lease.extend(sentBootMs);
      writeDown(runtime);
      break;
    }
    await outwait(runtime, outcome.reason, signal);
  }
  const sentAtMs = runtime.monotonicNowMs();
  const { databaseNowMs } = await store.listSessions();
  if (databaseNowMs === null) throw new Error('the session that was just made live is not there');
  runtime.clock.observe(databaseNowMs, sentAtMs);
  // The process before this one lost its lease in an outage, which has lasted until now.
  const { unansweredBootMs = null } = endedSessions.at(-1) ?? {};
  if (unansweredBootMs === null) return;
  const untilMs = runtime.clock.nowMs();
  const awayMs = lease.readBootClockMs() - unansweredBootMs;
  runtime.outages.note({ fromMs: untilMs - awayMs, untilMs });
}

async function endSession(
  runtime: Runtime,
  signal: AbortSignal,
  sessionId: string,
  why: string,
): Promise<void> {
  await settle(runtime, signal, () => runtime.store.endSession(sessionId, why, null));
  runtime.ownSessions?.forget(sessionId);
}

/** Ends sessions of this host that died and whose guardian did, too. True: there was something. */
async function endSwept(runtime: Runtime, signal: AbortSignal): Promise<boolean> {
  const swept = (await runtime.ownSessions?.sweep()) ?? [];
  for (const { sessionId, why } of swept) {
    await endSession(runtime, signal, sessionId, why ?? sessionEnds.foundDead);
  }
  return swept.length > 0;
}

function writeDown({ ownSessions, reports }: Runtime): void {
  try {
    ownSessions?.write();
  } catch (error) {
    reports.trouble('the session could not be written down for the next process', error);
  }
}

/** Sends until the outcome is known; both requests may be sent twice. */
async function settle(
  runtime: Runtime,
  signal: AbortSignal,
  send: () => ReturnType<Runtime['store']['joinSession']>,
): Promise<Exclude<Awaited<ReturnType<typeof send>>, { outcome: 'unknown' }>> {
  for (;;) {
    // A node that was drained meanwhile has ended its session; a join after that stays live.
    signal.throwIfAborted();
    const outcome = await send().catch((error: unknown) => {
      // The first process of a node ends with it; a later one comes back when it is there again.
      if (runtime.endedSessions.length === 0) throw error;
      return unknownWithoutLockRow(error);
    });
    if (outcome.outcome !== 'unknown') return outcome;
    if (runtime.endedSessions.length === 0) throw databaseAway(outcome.cause);
    runtime.reports.trouble('the node cannot join yet', outcome.cause);
    await pause(runtime.actorClock, lookPeriodMs, signal);
  }
}

/** Waits until a session of the own name has stood still for its TTL, and ends it. */
async function outwait(runtime: Runtime, rivalId: string, signal: AbortSignal): Promise<void> {
  const { reports, store } = runtime;
  const first = await findRival(runtime, rivalId);
  if (first === undefined) return;
  reports.waitingForName(rivalId, first.ttlMs);
  const sinceMs = runtime.monotonicNowMs();
  while (runtime.monotonicNowMs() - sinceMs < first.ttlMs) {
    await pause(runtime.actorClock, lookPeriodMs, signal);
    if (await endSwept(runtime, signal)) return;
    const rival = await findRival(runtime, rivalId);
    if (rival === undefined) return;
    if (rival.beats !== first.beats) throw nameTaken(runtime.introduction.nodeName, rivalId);
  }
  await store.endSession(rivalId, 'a new process of its node found it standing still', first.beats);
}

async function findRival(runtime: Runtime, rivalId: string) {
  const { sessions } = await runtime.store.listSessions();
  return sessions.find(({ sessionId, isLive }) => isLive && sessionId === rivalId);
}

function nameTaken(nodeName: string, rivalId: string): OperatorError {
  return new OperatorError({
    code: 'node_name_taken',
    message: `A live node has the name ${nodeName} already (session ${rivalId}).`,
    hint: 'Give this node another --name, or stop the other one; see: statecron cluster',
    exitCode: exitCodes.tryAgain,
  });
}

function databaseAway(cause: Error): OperatorError {
  return new OperatorError({
    code: 'database_away',
    message: `The database cannot be reached: ${cause.message}`,
    hint: 'Check the database URL and that the server runs; see: statecron doctor',
    exitCode: exitCodes.databaseAway,
    cause,
  });
}

/** Waits on the clock of the actors; rejects with the signal's reason when it is aborted. */
function pause(clock: ActorClock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => {
      clock.clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = clock.setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
