import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { blows } from './blows.ts';
import { runRounds } from './runRounds.ts';

/** Where the machine stands still a start takes long; the rounds of the program are strict. */
const patient = { afterBlowMs: 60_000, afterStartMs: 60_000, ttlMs: 15_000 };

describe('of guardian, node and launcher', { concurrency: true }, () => {
  for (const name of [
    'guardian frozen, node frozen',
    'guardian killed, node frozen',
    'all killed, the name started again after the TTL',
  ]) {
    test(`${name}: no two trees of a slot live at once`, async (t) => {
      const blow = blows.get(name);
      assert.ok(blow);
      const { faults, goneMs } = await runRounds(t, blow, 1, patient);
      assert.deepEqual(faults, []);
      assert.equal(goneMs.length, 1, 'the launch whose watchers were struck is gone');
    });
  }
});
