import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClock } from '../../../src/domain/time/databaseClock.ts';

/** A database whose clock is `offsetMs` ahead of the monotonic one, at the end of a slow way. */
class SlowDatabase {
  monotonicMs = 5_000;
  offsetMs = 1_700_000_000_000;
  readonly clock = new DatabaseClock(() => this.monotonicMs);

  get trueMs(): number {
    return this.monotonicMs + this.offsetMs;
  }

  /** One reading: the request takes `thereMs`, the reply `backMs`. */
  read(thereMs: number, backMs: number): void {
    const sentAtMs = this.monotonicMs;
    this.monotonicMs += thereMs;
    const readMs = this.trueMs;
    this.monotonicMs += backMs;
    this.clock.observe(readMs, sentAtMs);
  }
}

test('the estimate is late by the way of the fastest reply and never ahead', () => {
  const database = new SlowDatabase();
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 500; round += 1) {
    const backMs = 1 + ((round * 7_919) % 40);
    database.read((round * 104_729) % 60, backMs);
    fastestMs = Math.min(fastestMs, backMs);
    const lateMs = database.trueMs - database.clock.nowMs();
    assert.ok(lateMs >= 0, `${-lateMs} ms ahead of the database`);
    if (database.monotonicMs < 60_000) assert.ok(lateMs <= fastestMs, `${lateMs} ms late`);
    database.monotonicMs += 100;
  }
});

test('a database whose clock is stepped back is followed at its next reading', () => {
  const database = new SlowDatabase();
  for (let round = 0; round < 5; round += 1) database.read(3, 3);
  database.offsetMs -= 3_600_000;
  database.read(3, 3);
  const lateMs = database.trueMs - database.clock.nowMs();
  assert.ok(lateMs >= 0 && lateMs <= 3, `${lateMs} ms late`);
});
