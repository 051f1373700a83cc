import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RunTrail } from '../../../src/http/events/runTrail.ts';
import { readPosition, writePosition } from '../../../src/http/events/streamEvent.ts';

test('a number that appears below the highest is new once, and settled is what has no gap', () => {
  const trail = new RunTrail(10);
  assert.equal(trail.add(13, 0), true);
  assert.deepEqual([trail.gaps, trail.settled], [[11, 12], 10]);
  assert.equal(trail.add(12, 0), true);
  assert.equal(trail.add(12, 0), false);
  assert.equal(trail.add(11, 0), true);
  assert.deepEqual([trail.settled, trail.high, trail.gaps], [13, 13, []]);
});

test('numbers come in any order, each is new once, and what was not seen is a gap', () => {
  const seen = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(seen, (looks) => {
      const trail = new RunTrail(0);
      const added: number[] = [];
      for (const look of looks) {
        for (const runId of [...look].sort((a, b) => a - b)) {
          if (trail.add(runId, 0)) added.push(runId);
        }
      }
      const all = new Set(looks.flat());
      assert.deepEqual(
        [...added].sort((a, b) => a - b),
        [...all].sort((a, b) => a - b),
      );
      const missing = new Set(trail.gaps);
      for (let runId = 1; runId <= trail.high; runId += 1) {
        assert.equal(missing.has(runId), !all.has(runId), `number ${runId}`);
        if (runId <= trail.settled) assert.ok(all.has(runId));
      }
    }),
  );
});

test('a gap is given up when nothing can bring it any more', () => {
  const trail = new RunTrail(1);
  trail.add(3, 1_000);
  trail.add(5, 2_000);
  trail.giveUp(1_000);
  assert.deepEqual(trail.gaps, [2, 4]);
  trail.giveUp(1_001);
  assert.deepEqual([trail.gaps, trail.settled], [[4], 3]);
  assert.equal(trail.add(2, 3_000), false);
});

test('gaps are bounded, and the oldest go first', () => {
  const trail = new RunTrail(0);
  trail.add(20_001, 0);
  assert.equal(trail.gaps.length, 20_000);
  trail.add(20_003, 0);
  assert.deepEqual([trail.gaps.length, trail.settled], [20_000, 1]);
  trail.add(10_000_000, 0);
  assert.equal(trail.gaps.length, 20_000);
});

test('a position is read as it was written', () => {
  const safe = fc.integer({ min: 0, max: 3e15 });
  fc.assert(
    fc.property(safe, safe, (sessionsMs, runId) => {
      assert.deepEqual(readPosition(writePosition({ sessionsMs, runId })), { sessionsMs, runId });
    }),
  );
});

test('what was not written as a position is none', () => {
  const texts = ['', 'x', '1', '1.', '1.2.', '1.2.3', '1.2.1-2', '1.zzzzzzzzzzz', '1.2.*3', 'A.B'];
  for (const text of [...texts, '1.5.9', "1.2'--", '-1.2', 'z'.repeat(2_000)]) {
    assert.equal(readPosition(text), null, text.slice(0, 40));
  }
});
