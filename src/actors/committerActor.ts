import { fromPromise } from 'xstate';
import { type BatchEnd, committerMachine } from '../../statecharts/committer.ts';
import type { BatchRequest, FinishRequest, Verdict } from '../domain/commit/batch.ts';
import { early, refusedAs } from '../domain/commit/batch.ts';
import {
  CommitQueue,
  type CommitReport,
  type CommitRequest,
} from '../domain/commit/commitQueue.ts';
import { type CommitTime, mayWaitMs } from '../domain/commit/mayWaitMs.ts';
import { joinReasons, reasons } from '../domain/reasons/reasons.ts';
import type { Execution } from '../domain/run/run.ts';
import { classifyError } from '../store/connection/classifyError.ts';
import { backOff } from './runtime/backOff.ts';
import type { Runtime } from './runtime/runtime.ts';
import { errorOf, sendTo } from './runtime/sendTo.ts';
import { unknownWithoutLockRow } from './runtime/unknownWithoutLockRow.ts';

const busyPauseMsMin = 4;
const busyPauseMsMax = 100;
const unknownPauseMsMin = 20;
const unknownPauseMsMax = 1_000;

/** The committer's chart with its effect: one transaction for everything that was requested. */
export function provideCommitter(runtime: Runtime, queue = new CommitQueue()) {
  const time = (lastBatch: BatchEnd | null): CommitTime => ({
    clockMs: runtime.clock.nowMs(),
    batchTookMs: lastBatch?.tookMs ?? 0,
    sinceBatchMs: runtime.monotonicNowMs() - (lastBatch?.endedMs ?? Number.NEGATIVE_INFINITY),
  });
  return committerMachine.provide({
    actors: {
      commitBatch: fromPromise<BatchEnd>(async () => {
        // What the rest of this turn of the event loop requests goes along.
        await runtime.nextTurn();
        return commitQueued(runtime, queue);
      }),
    },
    actions: {
      enqueue: ({ event }) => queue.add(event.queued),
      reportFailure: ({ event, system }) =>
        sendTo(system, 'node', { type: 'node.failed', error: errorOf(event) }),
    },
    guards: {
      hasRequests: () => queue.size > 0,
      isUrgent: ({ context, event }) =>
        mayWaitMs(event.queued.request, time(context.lastBatch)) === 0,
      somethingIsUrgent: (_, ended) => queue.gatherMs(time(ended)) === 0,
    },
    delays: {
      gatherPause: ({ context }) => queue.gatherMs(time(context.lastBatch)),
      busyPause: ({ context }) =>
        backOff(busyPauseMsMin, busyPauseMsMax, context.busyInARow, runtime.random()),
      unknownPause: ({ context }) =>
        backOff(unknownPauseMsMin, unknownPauseMsMax, context.unknownInARow, runtime.random()),
    },
  });
}

/** Commits the queue's next batch and answers everybody in it. */
async function commitQueued(runtime: Runtime, queue: CommitQueue): Promise<BatchEnd> {
  const beganMs = runtime.monotonicNowMs();
  const batch = dropOvertaken(runtime, queue.take());
  const requests = batch.length;
  const report = requests === 0 ? 'committed' : await commitRequests(runtime, queue, batch);
  const endedMs = runtime.monotonicNowMs();
  const ended: BatchEnd = { report, requests, tookMs: endedMs - beganMs, endedMs };
  if (requests > 0) {
    queue.noteBatch(requests, report);
    runtime.reports.batchSettled?.(ended);
  }
  return ended;
}

/**
 * A claim that is acknowledged late can be taken for an unknown launch, and its reset requested,
 * before its slot actor comes to life; a reset next to its start would free the slot under a child
 * that runs. Nothing is adopted between here and the commit: only a batch of this committer claims.
 */
function dropOvertaken(runtime: Runtime, batch: readonly CommitRequest[]): CommitRequest[] {
  return batch.filter(({ request, settle }) => {
    const isOwnReset = request.kind === 'reset' && request.why === 'own';
    const isOvertaken = isOwnReset && runtime.roster.get(request.launchId) !== undefined;
    if (isOvertaken) settle(refusedAs('a slot actor carries the launch on'));
    return !isOvertaken;
  });
}

async function commitRequests(
  runtime: Runtime,
  queue: CommitQueue,
  batch: CommitRequest[],
): Promise<CommitReport> {
  const unwritten = await writeOutputs(runtime, batch);
  if (unwritten.length > 0) {
    // Nothing was sent for the others: they go again, and only these wait for their output.
    queue.putBack(batch.filter((each) => !unwritten.includes(each)));
    return settleUnknown(unwritten);
  }
  // A process whose lease is over writes nothing more; the heartbeat or the guardian ends it.
  if (runtime.lease.leftMs() <= 0) return settleUnknown(batch);
  const requests = batch.map(({ request }) => noteRefusedOutput(request));
  const outcome = await runtime.store.commitBatch(requests).catch(unknownWithoutLockRow);
  if (outcome.outcome === 'refused') return 'fenced';
  if (outcome.outcome === 'unknown') {
    runtime.roster.unknowns += 1;
    runtime.reports.trouble('a transaction was not confirmed, and is looked up', outcome.cause);
    return settleUnknown(batch);
  }
  runtime.reports.batchEnded(outcome.value.reduce((sum, verdict) => sum + slotsMoved(verdict), 0));
  const busy = outcome.value.filter(({ verdict }) => verdict === 'busy').length;
  if (busy > 0) runtime.reports.stripesBusy?.(busy);
  const wasBusy: CommitRequest[] = [];
  for (const [place, each] of batch.entries()) {
    const verdict = outcome.value[place];
    if (verdict === undefined) throw new Error('commitBatch answered fewer verdicts than requests');
    if (verdict.verdict === 'busy' && givesWay(runtime, each)) each.settle(early);
    else if (verdict.verdict === 'busy') wasBusy.push(each);
    else each.settle(verdict);
  }
  queue.putBack(wasBusy);
  return wasBusy.length === batch.length ? 'busy' : 'committed';
}

/** A start that waits for its stripe gives back its permit when others queue for one. */
function givesWay(runtime: Runtime, { request }: CommitRequest): boolean {
  return request.kind === 'start' && runtime.roster.isCrowded;
}

function slotsMoved(verdict: Verdict): number {
  if (verdict.verdict === 'claimed') return verdict.launches.length;
  if (verdict.verdict === 'reaped') return verdict.slots;
  return verdict.verdict === 'done' ? 1 : 0;
}

function settleUnknown(batch: readonly CommitRequest[]): 'unknown' {
  for (const { settle } of batch) settle({ verdict: 'unknown' });
  return 'unknown';
}

/** How often an output that fails alone is tried: once when the server itself refuses it. */
const outputTriesMax = 60;
const outputTries = new WeakMap<Execution, number>();

/**
 * Outputs go before their finishes; resolves to the finishes whose output could not be written. A
 * finish whose output the server refuses, or that fails alone again and again, is recorded without
 * it: no output can keep a slot from becoming idle.
 */
async function writeOutputs(
  runtime: Runtime,
  batch: readonly CommitRequest[],
): Promise<CommitRequest[]> {
  const finishes = batch.filter(({ request }) => request.kind === 'finish' && hasOutput(request));
  if (finishes.length === 0) return [];
  const requests = finishes.map(({ request }) => request as FinishRequest);
  try {
    const outputs = requests.map(({ launchId, execution: { output } }) => ({ launchId, output }));
    await runtime.store.writeOutputs(outputs);
    return [];
  } catch (error) {
    runtime.reports.trouble('output could not be written', error);
    const [only] = requests;
    if (requests.length === 1 && only !== undefined) {
      const tries = (outputTries.get(only.execution) ?? 0) + triesFor(runtime, error);
      outputTries.set(only.execution, tries);
    }
    return finishes;
  }
}

/** How many tries a failure counts for: all when the server refuses it, none in an outage. */
function triesFor({ lease, settings }: Runtime, error: unknown): number {
  const kind = classifyError(error);
  const isPassing = kind === 'retry' || kind === 'contact' || kind === 'crowded';
  if (isPassing || lease.silentMs() > settings.ttlMs / 5) return 0;
  const isServersWord = ((error as { errno?: number }).errno ?? 0) > 0;
  return isServersWord && kind !== 'full' ? outputTriesMax : 1;
}

/** A run whose output is given up says so. */
function noteRefusedOutput(request: BatchRequest): BatchRequest {
  if (request.kind !== 'finish' || hasOutput(request)) return request;
  const { execution } = request;
  const bytes = execution.output.byteLength;
  if (bytes === 0) return request;
  const reason = joinReasons(execution.reason, reasons.outputRefused(bytes));
  return { ...request, execution: { ...execution, reason } };
}

function hasOutput({ execution }: FinishRequest): boolean {
  const tries = outputTries.get(execution) ?? 0;
  return execution.output.byteLength > 0 && tries < outputTriesMax;
}
