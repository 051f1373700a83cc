import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type HeldWork, RunTimes, roomAhead } from '../../../src/domain/targeting/placesLeft.ts';

const horizonMs = 30_000;
const soonMs = 3_000;
const many = (length: number, value: number): number[] => new Array<number>(length).fill(value);

function roomOf(work: Partial<HeldWork>) {
  const idle = { concurrency: 32, meanMs: 10_000, lastedMs: [], untilTickMs: [] };
  return roomAhead({ ...idle, ...work }, soonMs, horizonMs);
}

test('short runs fit by the thousand, long ones as many as may go at once', () => {
  assert.ok(roomOf({ meanMs: 10 }).places > 2_000);
  assert.deepEqual(roomOf({}), { places: 32, aheadMs: horizonMs, isForOthers: true });
  assert.equal(roomOf({ lastedMs: many(30, 0) }).places, 2);
  assert.equal(roomOf({ lastedMs: many(32, 0) }).places, 0);
  assert.equal(roomOf({ lastedMs: many(32, 9_500) }).places, 32, 'they are about to end');
  assert.equal(roomOf({ untilTickMs: many(40, -5_000) }).places, 0);
});

test('where much is held for later nothing is claimed that would still run then', () => {
  const full = { untilTickMs: many(32, 25_000) };
  assert.deepEqual(roomOf(full), { places: 32, aheadMs: 14_000, isForOthers: true });
  assert.equal(roomOf({ untilTickMs: many(10, 25_000) }).aheadMs, horizonMs, 'there is room');
  const soon = roomOf({ untilTickMs: many(32, 9_000) });
  assert.deepEqual(soon, { places: 32, aheadMs: soonMs, isForOthers: false });
});

test('runs that last longer than all before are seen while they run', () => {
  const work = { meanMs: 10, untilTickMs: [] };
  assert.ok(roomOf({ ...work, lastedMs: many(32, 8) }).places > 2_000);
  assert.equal(roomOf({ ...work, lastedMs: many(32, 5_000) }).places, 0);
  assert.ok(roomOf({ ...work, lastedMs: many(3, 3_600_000) }).places > 2_000, 'others are free');
  assert.equal(roomOf({ ...work, lastedMs: many(32, 3_600_000) }).places, 0);
});

test('the mean begins with a long run, learns soon, and is of as many runs as go at once', () => {
  const times = new RunTimes(4);
  assert.equal(times.meanMs, 30_000);
  for (let run = 0; run < 12; run += 1) times.add(10);
  assert.ok(times.meanMs < 1_000, `${times.meanMs} ms`);
  for (let run = 0; run < 12; run += 1) times.add(3_600_000);
  assert.ok(times.meanMs > 28_000 && times.meanMs <= 30_000, `${times.meanMs} ms`);
  const single = new RunTimes(1);
  single.add(20);
  assert.equal(single.meanMs, 20);
});

test('with a permit that is free and nothing that waits soon, what is due is claimed', () => {
  const later = fc.integer({ min: soonMs + 1_000, max: 60_000 });
  const property = fc.property(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 60_000 }),
    fc.array(fc.nat(100_000), { maxLength: 49 }),
    fc.array(later, { maxLength: 2_000 }),
    (concurrency, meanMs, lastedMs, untilTickMs) => {
      fc.pre(lastedMs.length < concurrency);
      const room = roomOf({ concurrency, meanMs, lastedMs, untilTickMs });
      assert.ok(room.places >= 1);
      assert.ok(room.aheadMs >= soonMs && room.aheadMs <= horizonMs);
    },
  );
  fc.assert(property);
});
