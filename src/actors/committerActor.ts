import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromPromise } from 'xstate';
import { committerMachine } from '../../statecharts/committer.ts';
import { refusedAs, type Verdict } from '../domain/batch.ts';
import { CommitQueue, type CommitReport, type CommitRequest } from '../domain/commitQueue.ts';
import { backOff } from './backOff.ts';
import type { Runtime } from './runtime.ts';

const busyPauseMsMin = 4;
const busyPauseMsMax = 100;
const unknownPauseMsMin = 20;
const unknownPauseMsMax = 1_000;

/** The committer's chart with its effect: one transaction for everything that was asked. */
export function provideCommitter(runtime: Runtime, queue = new CommitQueue()) {
  let failures = 0;
  let busyInARow = 0;
  return committerMachine.provide({
    actors: {
      commitBatch: fromPromise<CommitReport>(async () => {
        // What the rest of this turn of the event loop asks for goes along.
        await nextTurn();
        const report = await commitQueued(runtime, queue);
        failures = report === 'unknown' ? failures + 1 : 0;
        busyInARow = report === 'busy' ? busyInARow + 1 : 0;
        return report;
      }),
    },
    actions: {
      enqueue: ({ event }) => queue.add(event.asked),
      reportFenced: () => undefined,
      reportFailure: ({ event, system }) => {
        const { error } = event as unknown as { error: unknown };
        system.get('node').send({ type: 'node.failed', error });
      },
    },
    guards: {
      hasRequests: () => queue.size > 0,
    },
    delays: {
      busyPause: () => backOff(busyPauseMsMin, busyPauseMsMax, busyInARow, runtime.random()),
      unknownPause: () => backOff(unknownPauseMsMin, unknownPauseMsMax, failures, runtime.random()),
    },
  });
}

/** Commits the queue's next batch and answers everybody in it. */
export async function commitQueued(runtime: Runtime, queue: CommitQueue): Promise<CommitReport> {
  const asked = dropOvertaken(runtime, queue.take());
  if (asked.length === 0) return 'committed';
  const report = await commitAsked(runtime, queue, asked);
  queue.noteBatch(asked.length, report);
  if (report === 'unknown') for (const { settle } of asked) settle({ verdict: 'unknown' });
  return report;
}

/**
 * A claim that is acknowledged late can be taken for an unknown launch, and its reset asked for,
 * before its slot actor comes to life. From then on the actor alone says what becomes of it: a
 * reset next to its start would free the slot under a child that runs. Nothing can be adopted
 * between here and the commit, since only a batch of this committer claims.
 */
function dropOvertaken(runtime: Runtime, asked: readonly CommitRequest[]): CommitRequest[] {
  return asked.filter(({ request, settle }) => {
    const isOvertaken =
      request.kind === 'reset' &&
      request.why === 'own' &&
      runtime.roster.get(request.launchId) !== undefined;
    if (isOvertaken) settle(refusedAs('a slot actor carries the launch on'));
    return !isOvertaken;
  });
}

async function commitAsked(
  runtime: Runtime,
  queue: CommitQueue,
  asked: CommitRequest[],
): Promise<CommitReport> {
  if (!(await writeOutputs(runtime, asked))) return 'unknown';
  // A process whose lease is over writes nothing more; the heartbeat or the guardian ends it.
  if (runtime.lease.leftMs() <= 0) return 'unknown';
  const outcome = await runtime.store.commitBatch(asked.map(({ request }) => request));
  if (outcome.outcome === 'refused') return 'fenced';
  if (outcome.outcome === 'unknown') {
    runtime.reports.trouble('a batch has an unknown outcome', outcome.cause);
    return 'unknown';
  }
  runtime.reports.batchEnded(outcome.value.reduce((sum, verdict) => sum + slotsMoved(verdict), 0));
  const wasBusy: CommitRequest[] = [];
  for (const [place, each] of asked.entries()) {
    const verdict = outcome.value[place];
    if (verdict === undefined) throw new Error('commitBatch answered fewer verdicts than requests');
    if (verdict.verdict === 'busy') wasBusy.push(each);
    else each.settle(verdict);
  }
  queue.putBack(wasBusy);
  return wasBusy.length === asked.length ? 'busy' : 'committed';
}

function slotsMoved(verdict: Verdict): number {
  if (verdict.verdict === 'claimed') return verdict.launches.length;
  if (verdict.verdict === 'reaped') return verdict.slots;
  return verdict.verdict === 'done' ? 1 : 0;
}

/**
 * Outputs go before their finishes. When they cannot be written the batch is tried again, halved; a
 * finish that fails alone is recorded without its output, so that no output can keep a slot from
 * becoming idle.
 */
async function writeOutputs(runtime: Runtime, asked: readonly CommitRequest[]): Promise<boolean> {
  const outputs = asked.flatMap(({ request }) =>
    request.kind === 'finish' && request.execution.output.byteLength > 0
      ? [{ launchId: request.launchId, output: request.execution.output }]
      : [],
  );
  if (outputs.length === 0) return true;
  try {
    await runtime.store.writeOutputs(outputs);
    return true;
  } catch (error) {
    runtime.reports.trouble('output could not be written', error);
    return asked.length === 1;
  }
}
