import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthPerHour } from './growth.ts';

const minuteMs = 60_000;
const points = (values: readonly number[]) =>
  values.map((value, minute) => ({ ms: minute * minuteMs, value }));

test('what grows by a twentieth each minute grows by three an hour, whatever stands out', () => {
  const values = Array.from({ length: 20 }, (_, minute) => 80 + minute / 20);
  assert.equal(growthPerHour(points(values)).toFixed(3), '3.000');
  values[3] = 500;
  values[19] = 0;
  assert.equal(growthPerHour(points(values)).toFixed(3), '3.000');
});

test('what goes up and down, and comes back, does not grow', () => {
  assert.equal(growthPerHour(points([5, 6, 5, 6, 5, 6, 5])), 0);
});

test('one value tells no growth', () => {
  assert.ok(Number.isNaN(growthPerHour(points([5]))));
});
