import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSize, pauseAfter, withinBytes } from '../../../src/domain/commit/cleaningPace.ts';

const bounds = { first: 100, least: 10, most: 1_000 };

test('as many rows are next as fit into the time that one transaction aims at', () => {
  const after = (size: number, tookMs: number) =>
    nextSize(bounds, size, { rows: size, isMore: true, tookMs });
  assert.equal(after(100, 25), 100);
  assert.equal(after(100, 20), 125);
  assert.equal(after(100, 1), 200, 'at most twice as many');
  assert.equal(after(100, 10_000), 50, 'at least half');
  assert.equal(after(900, 1), 1_000);
  assert.equal(after(12, 10_000), 10);
});

test('without more to take it does not grow, and a failure makes it smaller', () => {
  assert.equal(nextSize(bounds, 100, { rows: 0, isMore: false, tookMs: 1 }), 100);
  assert.equal(nextSize(bounds, 100, { rows: 0, isMore: false, tookMs: 10_000 }), 50);
});

test('what was bounded by its bytes goes by the rows that fitted', () => {
  assert.equal(nextSize(bounds, 1_000, { rows: 40, isMore: true, tookMs: 25 }), 40);
  assert.equal(nextSize(bounds, 1_000, { rows: 1, isMore: true, tookMs: 1 }), 10);
});

test('a pause is as long as its step, and never short', () => {
  assert.equal(pauseAfter({ tookMs: 0, isBehind: false }), 200);
  assert.equal(pauseAfter({ tookMs: 1_234.5, isBehind: false }), 1_235);
});

test('rows are taken in order up to their bytes, one at least', () => {
  const rows = [3, 4, 5, 1].map((bytes) => ({ bytes }));
  assert.deepEqual(withinBytes(rows, 7), rows.slice(0, 2));
  assert.deepEqual(withinBytes(rows, 2), rows.slice(0, 1));
  assert.deepEqual(withinBytes(rows, 13), rows);
  assert.deepEqual(withinBytes([], 13), []);
});
