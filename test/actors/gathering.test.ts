import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActor, SimulatedClock } from 'xstate';
import { provideCommitter } from '../../src/actors/committerActor.ts';
import type { Runtime } from '../../src/actors/runtime/runtime.ts';
import { type BatchRequest, done } from '../../src/domain/commit/batch.ts';
import type { Settled } from '../../src/domain/commit/commitQueue.ts';
import { committed } from '../../src/domain/errors/outcome.ts';
import { succeeded } from '../support/testNode.ts';

const batchMs = 6;

/** A committer whose batches take 6 ms each, by a clock that the test moves. */
function startCommitter(t: { after(cleanUp: () => void): void }) {
  const clock = new SimulatedClock();
  const nowMs = (): number => clock.now();
  const batches: { readonly atMs: number; readonly launchIds: readonly string[] }[] = [];
  const runtime = {
    clock: { nowMs },
    monotonicNowMs: nowMs,
    lease: { leftMs: () => 1_000 },
    nextTurn: () => Promise.resolve(),
    roster: { get: () => undefined },
    reports: { batchEnded: () => undefined },
    random: () => 0.5,
    store: {
      commitBatch: async (requests: readonly (BatchRequest & { launchId: string })[]) => {
        batches.push({ atMs: nowMs(), launchIds: requests.map(({ launchId }) => launchId) });
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, batchMs);
        });
        return committed(requests.map(() => done));
      },
    },
  } as unknown as Runtime;
  const actor = createActor(provideCommitter(runtime), { clock });
  actor.start();
  t.after(() => actor.stop());
  const settled: Settled[] = [];
  const request = (sent: BatchRequest): void =>
    actor.send({
      type: 'commit.request',
      queued: { request: sent, settle: (answer) => settled.push(answer) },
    });
  /** Millisecond by millisecond, with all that follows on each. */
  const pass = async (ms: number): Promise<void> => {
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await settle();
    for (let passed = 0; passed < ms; passed += 1) {
      clock.increment(1);
      await settle();
    }
  };
  return { request, batches, pass, settled };
}

const startOf = (launchId: string, waitUntilMs: number | null): BatchRequest => ({
  kind: 'start',
  ...{ slotId: 1, stripe: 1, launchId, waitUntilMs },
});

const finishOf = (launchId: string): BatchRequest => ({
  kind: 'finish',
  ...{ slotId: 1, stripe: 1, launchId },
  execution: succeeded,
});

test('starts of one tick that are asked for one after the other go in one batch', async (t) => {
  const { request, batches, pass, settled } = startCommitter(t);
  for (const launchId of ['a', 'b', 'c']) {
    request(startOf(launchId, 16));
    await pass(2);
  }
  await pass(14);
  assert.deepEqual(batches, [{ atMs: 8, launchIds: ['a', 'b', 'c'] }]);
  assert.equal(settled.length, 3);
});

test('a start that is late takes those along that wait, at once', async (t) => {
  const { request, batches, pass } = startCommitter(t);
  request(startOf('early', 16));
  await pass(1);
  request(startOf('late', null));
  await pass(batchMs);
  assert.deepEqual(batches, [{ atMs: 1, launchIds: ['early', 'late'] }]);
});

test('ends go at once after a rest, and together while batches follow one another', async (t) => {
  const { request, batches, pass } = startCommitter(t);
  await pass(100);
  for (const launchId of ['a', 'b', 'c', 'd', 'e']) {
    request(finishOf(launchId));
    await pass(12);
  }
  await pass(batchMs);
  assert.deepEqual(
    batches.map(({ atMs, launchIds }) => [atMs - 100, launchIds.join('')]),
    [
      [0, 'a'],
      [30, 'bc'],
      [60, 'de'],
    ],
  );
});
