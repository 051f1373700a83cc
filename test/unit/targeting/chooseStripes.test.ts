import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noShare, wholeLine } from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { chooseStripes } from '../../../src/domain/targeting/chooseStripes.ts';
import { RandomSource } from '../../sim/randomSource.ts';

const source = new RandomSource('stripes');
const random = () => source.next();

test('the own stripes are chosen, and a few others, each of them at some time', () => {
  for (const [share, own, others] of [
    [wholeLine, 64, 0],
    [{ from: 0, until: 32 * 64 }, 32, 8],
    [{ from: 100, until: 140 }, 2, 2],
    [noShare, 0, 2],
  ] as const) {
    const seen = new Set<number>();
    for (let claim = 0; claim < 500; claim += 1) {
      const chosen = chooseStripes(allStripes, share, random);
      assert.equal(chosen.length, own + others);
      assert.equal(new Set(chosen).size, chosen.length, 'each once');
      for (const stripe of chosen) seen.add(stripe);
    }
    assert.equal(seen.size, 64);
  }
});

test('of what is due nothing is chosen that is not', () => {
  const due = [3, 40, 41];
  const chosen = chooseStripes(due, { from: 0, until: 4 * 64 }, random);
  assert.deepEqual(chosen.toSorted(), due);
  assert.deepEqual(chooseStripes([], wholeLine, random), []);
});
