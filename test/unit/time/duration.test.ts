import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../../src/domain/time/duration.ts';

test('a duration is numbers with units', () => {
  const read: [string, number][] = [
    ['1h30m', 5_400_000],
    ['30s', 30_000],
    ['500ms', 500],
    ['2d', 172_800_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['0s', 0],
    ['0.1h', 360_000],
    ['1m1h', 3_660_000],
  ];
  for (const [text, ms] of read) assert.equal(parseDuration(text), ms, text);
});

test('a number without a unit, a sign, a blank or half a millisecond is refused', () => {
  const texts = ['', '30', '-5s', '+5s', '1 h', '5w', '5S', '0.5ms', '1e3s', '５s', '1constructor'];
  for (const text of [...texts, `${'9'.repeat(30)}d`, '1s'.repeat(30)]) {
    const fault = parseDuration(text);
    assert.ok(typeof fault !== 'number' && fault.error !== '', text);
  }
  const fault = parseDuration('30');
  assert.match(typeof fault === 'number' ? '' : fault.error, /units \(d, h, m, s, ms\)/);
});

test('what is written is read as the same duration', () => {
  assert.equal(formatDuration(5_400_000), '1h30m');
  assert.equal(formatDuration(0), '0s');
  assert.equal(formatDuration(90_061_001), '1d1h1m1s1ms');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e13 }),
      (ms) => parseDuration(formatDuration(ms)) === ms,
    ),
  );
});
