import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  grainCount,
  ownsSlot,
  placeOfSlot,
  type Share,
  shareOfSession,
  stripesOfShare,
  wholeLine,
} from '../../../src/domain/run/share.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';

function dealOver(nodes: number): Share[] {
  const ids = Array.from({ length: nodes }, (_, place) => `s${place}`);
  return ids.map((id) => shareOfSession(id, ids));
}

test('each place has one owner, and shares differ by one grain at most', () => {
  const property = fc.property(fc.integer({ min: 1, max: 1_500 }), (nodes) => {
    const owners = new Array<number>(grainCount).fill(0);
    const sizes = dealOver(nodes).map(({ from, until }) => {
      for (let place = from; place < until; place += 1) owners[place] = (owners[place] ?? 0) + 1;
      return until - from;
    });
    assert.deepEqual(new Set(owners), new Set([1]));
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
    assert.ok(Math.min(...sizes) > 0);
  });
  fc.assert(property, { numRuns: 200 });
});

test('as many nodes as divide the stripes have whole ones, of which each is of one node', () => {
  for (const nodes of [1, 2, 4, 8, 16, 32, 64]) {
    const stripes = dealOver(nodes).map(stripesOfShare);
    assert.deepEqual(new Set(stripes.map(({ length }) => length)), new Set([64 / nodes]));
    assert.equal(new Set(stripes.flat()).size, 64);
  }
  assert.deepEqual(stripesOfShare({ from: 5, until: 5 }), []);
  assert.deepEqual(stripesOfShare({ from: 63, until: 129 }), [0, 1, 2]);
});

test('a session that nobody has listed yet owns everything', () => {
  assert.deepEqual(shareOfSession('new', ['one', 'two']), wholeLine);
});

test('a thousand jobs are spread over more nodes than stripes', () => {
  for (const nodes of [65, 100]) {
    for (const slotsOfJob of [1, 2, 3, 8, 16, 64]) {
      const shares = dealOver(nodes);
      const owned = shares.map(() => 0);
      const jobs = 1_000;
      for (let slotId = 1; slotId <= jobs * slotsOfJob; slotId += 1) {
        const stripe = stripeOfJob(Math.ceil(slotId / slotsOfJob));
        const places = shares.flatMap((share, place) =>
          ownsSlot(share, { slotId, stripe }) ? [place] : [],
        );
        assert.equal(places.length, 1);
        const [place = 0] = places;
        owned[place] = (owned[place] ?? 0) + 1;
      }
      const mean = (jobs * slotsOfJob) / nodes;
      assert.ok(Math.min(...owned) > 0, `${nodes} nodes, ${slotsOfJob} slots a job`);
      assert.ok(Math.max(...owned) <= 1.5 * mean, `${nodes} nodes, ${Math.max(...owned)} of one`);
    }
  }
});

test('a place is of its slot’s stripe, however large the id', () => {
  const property = fc.property(fc.nat(2 ** 40), fc.nat(63), (slotId, stripe) => {
    const place = placeOfSlot({ slotId, stripe });
    assert.ok(Number.isSafeInteger(place));
    assert.equal(Math.floor(place / 64), stripe);
  });
  fc.assert(property);
});
