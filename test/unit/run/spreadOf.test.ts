import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadOf } from '../../../src/domain/run/spreadOf.ts';

test('half and 95 of 100 runs took no longer than what the spread says', () => {
  const rows: [number[], number | null, number | null][] = [
    [[], null, null],
    [[7], 7, 7],
    [[9, 1], 1, 9],
    [[3, 1, 2], 2, 3],
    [Array.from({ length: 20 }, (_, index) => 20 - index), 10, 19],
    [Array.from({ length: 100 }, (_, index) => index + 1), 50, 95],
  ];
  for (const [durationsMs, p50Ms, p95Ms] of rows) {
    assert.deepEqual(spreadOf(durationsMs), { p50Ms, p95Ms }, `${durationsMs}`);
  }
});
