import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchRequest } from '../../../src/domain/commit/batch.ts';
import { CommitQueue } from '../../../src/domain/commit/commitQueue.ts';
import { mayWaitMs, startLeadMs } from '../../../src/domain/commit/mayWaitMs.ts';
import { succeeded } from '../../support/testNode.ts';

const address = { slotId: 1, stripe: 1, launchId: 's:1' };
const tickMs = 1_000_000;
const start: BatchRequest = { kind: 'start', ...address, waitUntilMs: tickMs };
const overdue: BatchRequest = { kind: 'start', ...address, waitUntilMs: null };
const reset: BatchRequest = { kind: 'reset', ...address, why: 'own' };
const finish: BatchRequest = { kind: 'finish', ...address, execution: succeeded };

/** So long before the tick, after a batch of 6 ms that ended so long ago. */
function time(beforeTickMs: number, sinceBatchMs = 1_000) {
  return { clockMs: tickMs - beforeTickMs, batchTookMs: 6, sinceBatchMs };
}

test('a start waits for others until 8 ms before its tick, whenever it was asked for', () => {
  for (const beforeTickMs of [startLeadMs, 12, 9, 8, 1, 0, -50]) {
    const waits = mayWaitMs(start, time(beforeTickMs));
    assert.equal(waits, Math.max(0, beforeTickMs - 8), `${beforeTickMs} ms before`);
  }
  assert.equal(mayWaitMs(start, time(3_600_000)), startLeadMs - 8, 'the clock was stepped back');
});

test('an end rests four times as long as the last batch, 40 ms at most, alone not at all', () => {
  assert.equal(mayWaitMs(finish, time(0, 0)), 24);
  assert.equal(mayWaitMs(finish, time(0, 20)), 4);
  assert.equal(mayWaitMs(finish, time(0, 24)), 0);
  assert.equal(mayWaitMs(finish, { ...time(0, 0), batchTookMs: 5_000 }), 40);
  assert.equal(mayWaitMs(finish, { ...time(0), batchTookMs: 0, sinceBatchMs: Infinity }), 0);
});

test('what is late, or frees a slot, waits for nobody', () => {
  assert.equal(mayWaitMs(overdue, time(100, 0)), 0);
  assert.equal(mayWaitMs(reset, time(100, 0)), 0);
});

test('a batch waits as its most urgent request may', () => {
  const queue = new CommitQueue();
  const waits: number[] = [];
  for (const request of [start, finish, overdue]) {
    queue.add({ request, settle: () => undefined });
    waits.push(queue.gatherMs(time(14, 20)));
  }
  assert.deepEqual(waits, [6, 4, 0]);
});
