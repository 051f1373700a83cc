import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchIdMaker, makeSessionId } from '../../../src/domain/run/launchId.ts';

test('session ids are 96 random bits and nothing of the machine or its clock', () => {
  const ids = Array.from({ length: 10_000 }, () => makeSessionId());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^s[0-9a-f]{24}$/);
  // Every place of the id changes from one to the next: none is a clock, a pid or a counter.
  for (let place = 1; place <= 24; place += 1) {
    const digits = new Set(ids.map((id) => id[place]));
    assert.equal(digits.size, 16, `place ${place}`);
  }
});

test('no launch id of a session comes twice, and none is of another session', () => {
  const [one, other] = [makeSessionId(), makeSessionId()];
  const makers = [launchIdMaker(one), launchIdMaker(other)];
  const ids = makers.flatMap((next) => Array.from({ length: 10_000 }, next));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.slice(0, 10_000).every((id) => id.startsWith(`${one}:`)));
});
