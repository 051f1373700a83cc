import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HostClock } from './hostClock.ts';

const at = (atMs: number, offsetMs: number) => ({ atMs, databaseMs: atMs + offsetMs });

/** An hour ahead from 10,000 on. */
const forward = [at(0, 100), at(9_999, 100), at(10_000, 3_600_100), at(20_000, 3_600_100)];

/** Three seconds back from 10,000 on. */
const back = [at(0, 100), at(9_999, 100), at(10_000, -2_900), at(20_000, -2_900)];

describe('the database clock by the boot clock', () => {
  test('it is read from the samples on both sides, as a range where they differ', () => {
    const clock = new HostClock([at(0, 100), at(1_000, 104), at(2_000, 100)]);
    assert.deepEqual(clock.databaseAt(500), { earliestMs: 600, latestMs: 604 });
    assert.deepEqual(clock.databaseAt(-50), { earliestMs: 50, latestMs: 50 });
    assert.deepEqual(clock.databaseAt(9_000), { earliestMs: 9_100, latestMs: 9_100 });
  });

  test('inside the gap of a step it may be the one or the other', () => {
    const clock = new HostClock([at(0, 0), at(1_000, 5_000)]);
    assert.deepEqual(clock.databaseAt(400), { earliestMs: 400, latestMs: 5_400 });
    assert.deepEqual(clock.databaseAt(1_000), { earliestMs: 6_000, latestMs: 6_000 });
  });
});

describe('when the database clock comes to an instant', () => {
  test('without a step it comes once', () => {
    const clock = new HostClock([at(0, 100), at(5_000, 100)]);
    assert.equal(clock.firstReachedMs(2_100), 2_000);
    assert.equal(clock.lastReachedMs(2_100), 2_000);
    assert.equal(clock.firstReachedMs(2_100, 3_000), 3_000);
  });

  test('a step forward comes to all that it leaps over at once', () => {
    const clock = new HostClock(forward);
    assert.equal(clock.firstReachedMs(5_100), 5_000);
    assert.equal(clock.firstReachedMs(1_000_000), 10_000);
    assert.equal(clock.lastReachedMs(1_000_000), 10_000);
    assert.equal(clock.lastReachedMs(5_100), 5_000);
    assert.equal(clock.firstReachedMs(3_612_100), 12_000);
  });

  test('a step back comes to the same instants twice', () => {
    const clock = new HostClock(back);
    assert.equal(clock.firstReachedMs(9_100), 9_000);
    assert.equal(clock.lastReachedMs(9_100), 12_000);
    assert.equal(clock.lastReachedMs(5_000), 4_900);
    assert.equal(clock.firstReachedMs(12_100), 15_000);
  });
});

describe('rows of which only the order and the database time are known', () => {
  test('in the gap of a step forward a row may be from before the step, which is later', () => {
    const clock = new HostClock([at(0, 0), at(3_000, 0), at(5_000, 1_000), at(9_000, 1_000)]);
    const rows = [2_000, 4_500, 6_500].map((databaseMs) => ({ databaseMs }));
    assert.deepEqual(clock.placeRows(rows), [
      { earliestMs: 2_000, latestMs: 2_000 },
      { earliestMs: 3_500, latestMs: 4_500 },
      { earliestMs: 5_500, latestMs: 5_500 },
    ]);
  });

  test('after a time that only the second stretch had, all rows are of the second', () => {
    const rows = [9_000, 10_050, 7_500, 9_000].map((databaseMs) => ({ databaseMs }));
    const placed = new HostClock(back).placeRows(rows);
    assert.deepEqual(placed[1], { earliestMs: 9_950, latestMs: 9_950 });
    assert.deepEqual(placed[3], { earliestMs: 11_900, latestMs: 11_900 });
    assert.equal(placed[0]?.latestMs, 8_900);
  });

  test('a row that fits both stretches may be of either', () => {
    const placed = new HostClock(back).placeRows([{ databaseMs: 9_000 }]);
    assert.deepEqual(placed, [{ earliestMs: 8_900, latestMs: 11_900 }]);
  });

  test('over a step forward each row has one place', () => {
    const rows = [5_000, 3_615_000].map((databaseMs) => ({ databaseMs }));
    const placed = new HostClock(forward).placeRows(rows);
    assert.deepEqual(placed[0], { earliestMs: 4_900, latestMs: 4_900 });
    assert.deepEqual(placed[1], { earliestMs: 14_900, latestMs: 14_900 });
  });
});
