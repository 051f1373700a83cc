import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchRequest } from '../../../src/domain/commit/batch.ts';
import { CommitQueue } from '../../../src/domain/commit/commitQueue.ts';
import { asReason } from '../../support/asReason.ts';

const address = { slotId: 1, stripe: 1, launchId: 's:1' };
const start: BatchRequest = { kind: 'start', ...address, waitUntilMs: null };

function finish(reasonCharacters: number): BatchRequest {
  const execution = {
    result: 'failed',
    exitCode: 1,
    signal: null,
    reason: asReason('x'.repeat(reasonCharacters)),
    output: new Uint8Array(0),
    outputBytes: 0,
  } as const;
  return { kind: 'finish', ...address, execution };
}

function queueOf(count: number, request: BatchRequest): CommitQueue {
  const queue = new CommitQueue();
  for (let place = 0; place < count; place += 1) queue.add({ request, settle: () => undefined });
  return queue;
}

test('a batch is at most 2,000 requests, and what is left goes into the next', () => {
  const queue = queueOf(4_500, start);
  const sizes = [queue.take(), queue.take(), queue.take()].map(({ length }) => length);
  assert.deepEqual(sizes, [2_000, 2_000, 500]);
  assert.equal(queue.size, 0);
});

test('a batch is at most a mebibyte, but never nothing', () => {
  const mebibyte = 1024 * 1024;
  assert.ok(queueOf(100, finish(50_000)).take().length * 200_000 <= mebibyte);
  assert.equal(queueOf(3, finish(2 * mebibyte)).take().length, 1);
});

test('a batch that comes to nothing is halved down to one request, and grows again', () => {
  const queue = queueOf(5_000, start);
  const sizes: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const batch = queue.take();
    sizes.push(batch.length);
    queue.putBack(batch);
    queue.noteBatch(batch.length, 'unknown');
  }
  assert.deepEqual(sizes, [2_000, 1_000, 500, 250, 125, 62, 31, 15, 7, 3, 1, 1]);
  queue.noteBatch(1, 'committed');
  assert.equal(queue.take().length, 2);
});
