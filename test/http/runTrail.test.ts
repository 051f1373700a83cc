import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { gapMsMax, gapsAmong, RunTrail } from '../../src/http/events/runTrail.ts';
import { readPosition, writePosition } from '../../src/http/events/streamPosition.ts';

test('a number that comes to light below the highest is told of once', () => {
  const trail = new RunTrail(10);
  assert.equal(trail.take(13, 0), true);
  assert.deepEqual(trail.gapsToAsk(0, false), [11, 12]);
  assert.equal(trail.low, 10);
  assert.equal(trail.take(12, 0), true);
  assert.equal(trail.take(12, 0), false);
  assert.equal(trail.take(11, 0), true);
  assert.deepEqual([trail.low, trail.high, trail.gapCount], [13, 13, 0]);
});

test('numbers come in any order, each is told of once, and what was not seen is missing', () => {
  const seen = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(seen, (looks) => {
      const trail = new RunTrail(0);
      const told: number[] = [];
      for (const look of looks) {
        for (const runId of [...look].sort((a, b) => a - b)) {
          if (trail.take(runId, 0)) told.push(runId);
        }
      }
      const all = new Set(looks.flat());
      assert.deepEqual(
        [...told].sort((a, b) => a - b),
        [...all].sort((a, b) => a - b),
      );
      const missing = new Set(trail.gaps);
      for (let runId = 1; runId <= trail.high; runId += 1) {
        assert.equal(missing.has(runId), !all.has(runId), `number ${runId}`);
      }
    }),
  );
});

test('a gap is asked for often, then seldom, and given up when nothing can bring it', () => {
  const trail = new RunTrail(1);
  trail.take(3, 0);
  assert.deepEqual(trail.gapsToAsk(1_000, false), [2]);
  assert.deepEqual(trail.gapsToAsk(60_000, false), []);
  assert.deepEqual(trail.gapsToAsk(60_000, true), [2]);
  assert.deepEqual(trail.gapsToAsk(gapMsMax + 1, true), []);
  assert.equal(trail.low, 3);
});

test('gaps are bounded, the oldest go first, and that is counted', () => {
  const trail = new RunTrail(0);
  trail.take(20_001, 0);
  assert.equal(trail.gapCount, 20_000);
  trail.take(20_003, 0);
  assert.deepEqual([trail.gapCount, trail.dropped, trail.low], [20_000, 1, 1]);
  trail.take(10_000_000, 0);
  assert.equal(trail.gapCount, 20_000);
});

test('rows long ended keep no gaps below them', () => {
  const trail = new RunTrail(0);
  trail.take(1_000_000, 0, true);
  assert.deepEqual([trail.gapCount, trail.low], [0, 1_000_000]);
});

test('a trail that begins now knows of the numbers that young rows have left out', () => {
  const rows = [20, 18, 15, 11, 2].map((runId, place) => ({ runId, ageMs: place * 25_000 }));
  assert.deepEqual(gapsAmong(rows), [12, 13, 14, 16, 17, 19]);
  assert.deepEqual(gapsAmong([{ runId: 7, ageMs: 0 }]), []);
});

test('a position says what was told of and what was not', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 4e12 }), (runIds, sessionsMs) => {
      const trail = new RunTrail(0);
      for (const runId of [...runIds].sort((a, b) => a - b)) trail.take(runId, 0);
      const text = writePosition(sessionsMs, trail);
      assert.match(text, /^[0-9a-z._*-]+$/);
      const read = readPosition(text, 0);
      assert.equal(read?.sessionsMs, sessionsMs);
      assert.equal(read.trail.high, trail.high);
      assert.deepEqual([...read.trail.gaps], [...trail.gaps]);
    }),
  );
});

test('a position with too many gaps goes on below the first of them', () => {
  const trail = new RunTrail(0);
  for (let runId = 100; runId < 300; runId += 2) trail.take(runId, 0);
  const text = writePosition(5, trail);
  assert.ok(text.length < 40, text);
  const read = readPosition(text, 0);
  assert.deepEqual([read?.isCoarse, read?.trail.high, read?.trail.gapCount], [true, 0, 0]);
});

test('what was not written as a position is none', () => {
  const texts = ['', 'x', '1', '1.', '1.2.', '1.2.3', '1.2.1-2', '1.zzzzzzzzzzz', '1.2.*3', 'A.B'];
  for (const text of [...texts, '1.5.9', "1.2'--", '1.zzzzzz.zzzzzz-zzzzz', 'z'.repeat(2_000)]) {
    assert.equal(readPosition(text, 0), null, text.slice(0, 40));
  }
});
