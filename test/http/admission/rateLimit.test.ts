import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from '../../../src/http/admission/rateLimit.ts';

function limitAt(atOnce: number): { limit: RateLimit; pass: (ms: number) => void } {
  let nowMs = 1_000;
  return {
    limit: new RateLimit({ atOnce, refillMs: 6_000 }, () => nowMs),
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

test('so many of a key at once, then one each period, and others are not held up', () => {
  const { limit, pass } = limitAt(10);
  for (let tries = 1; tries <= 10; tries += 1) assert.equal(limit.take('one'), 0, `try ${tries}`);
  assert.equal(limit.take('one'), 6_000);
  assert.equal(limit.take('other'), 0);
  pass(4_500);
  assert.equal(limit.take('one'), 1_500, 'what is refused counts for nothing');
  pass(1_500);
  assert.equal(limit.take('one'), 0);
  assert.equal(limit.take('one'), 6_000);
  pass(1e9);
  for (let tries = 1; tries <= 10; tries += 1)
    assert.equal(limit.take('one'), 0, 'no more is saved');
  assert.ok(limit.take('one') > 0);
});

test('what is remembered of many keys is bounded, and the newest is not forgotten', () => {
  const { limit } = limitAt(1);
  for (let key = 0; key < 20_000; key += 1) limit.take(`${key}`);
  assert.ok(limit.take('19999') > 0);
  assert.equal(limit.take('0'), 0);
});
