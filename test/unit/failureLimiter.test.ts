import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureLimiter } from '../../src/http/guard/failureLimiter.ts';

function limiterAt(): { limiter: FailureLimiter; pass: (ms: number) => void } {
  let nowMs = 1_000;
  const limiter = new FailureLimiter(() => nowMs);
  return {
    limiter,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

test('ten failures of an address are let pass, then one each six seconds', () => {
  const { limiter, pass } = limiterAt();
  for (let tries = 1; tries <= 10; tries += 1) {
    assert.equal(limiter.waitMs(['10.0.0.1'], `bad ${tries}`), 0, `try ${tries}`);
    limiter.failed(['10.0.0.1'], `bad ${tries}`);
  }
  assert.equal(limiter.waitMs(['10.0.0.1'], 'bad'), 6_000);
  assert.equal(limiter.waitMs(['10.0.0.2'], 'bad'), 0, 'another address');
  pass(6_000);
  assert.equal(limiter.waitMs(['10.0.0.1'], 'bad'), 0);
  limiter.failed(['10.0.0.1'], 'bad');
  assert.equal(limiter.waitMs(['10.0.0.1'], 'bad'), 6_000);
});

test('a token is counted by itself, from however many addresses it is tried', () => {
  const { limiter } = limiterAt();
  for (let tries = 0; tries < 10; tries += 1) limiter.failed([`10.0.0.${tries}`, 'token a'], 'bad');
  assert.equal(limiter.waitMs(['10.0.0.99', 'token a'], 'bad'), 6_000);
  assert.equal(limiter.waitMs(['10.0.0.99', 'token b'], 'bad'), 0);
});

test('credentials that were good are looked at however many bad ones come from beside', () => {
  const { limiter } = limiterAt();
  limiter.succeeded('good');
  for (let tries = 0; tries < 50; tries += 1) limiter.failed(['10.0.0.1'], 'bad');
  assert.equal(limiter.waitMs(['10.0.0.1'], 'good'), 0);
  limiter.failed(['10.0.0.1'], 'good');
  assert.ok(limiter.waitMs(['10.0.0.1'], 'good') > 0, 'not any more when they are revoked');
});

test('what is remembered of many addresses is bounded, and the newest is not forgotten', () => {
  const { limiter } = limiterAt();
  for (let address = 0; address < 20_000; address += 1) limiter.failed([`${address}`], 'bad');
  for (let tries = 0; tries < 10; tries += 1) limiter.failed(['last'], 'bad');
  assert.ok(limiter.waitMs(['last'], 'bad') > 0);
  assert.equal(limiter.waitMs(['0'], 'bad'), 0);
});
