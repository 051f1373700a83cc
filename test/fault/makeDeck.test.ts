import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDeck } from './makeDeck.ts';
import { type FaultKind, nothingToHeal } from './world/faultWorld.ts';
import { seededRandom } from './world/random.ts';

const kindOf = (number: number): FaultKind => ({
  kind: `kind ${number}`,
  takes: 'nothing',
  stops: 'nothing',
  weight: number % 3 === 0 ? 3 : 1,
  inject: async () => ({ target: '', detail: '', lastsMs: 0, heal: nothingToHeal }),
});
const kinds = Array.from({ length: 40 }, (_, number) => kindOf(number));

function deal(seed: number, cards: number, canPlay: (kind: FaultKind) => boolean = () => true) {
  const deck = makeDeck(kinds, seededRandom(seed));
  return Array.from({ length: cards }, () => deck.draw(canPlay)?.kind ?? null);
}

test('the first cards are every kind once, whatever the weights', () => {
  // The last of the first deck may already wait among the next ones.
  const first = deal(1, kinds.length - 12);
  assert.equal(new Set(first).size, first.length);
  const all = new Set(deal(1, kinds.length + 60));
  assert.equal(all.size, kinds.length);
});

test('a seed deals the same cards each time, another seed others', () => {
  assert.deepEqual(deal(7, 100), deal(7, 100));
  assert.notDeepEqual(deal(7, 100), deal(8, 100));
});

test('a card that cannot be played now stays near the top', () => {
  const deck = makeDeck(kinds, seededRandom(3));
  const first = deck.draw(() => true) as FaultKind;
  deck.putBack(first);
  const skipped = deck.draw((kind) => kind !== first) as FaultKind;
  assert.notEqual(skipped, first);
  const rest = Array.from({ length: 14 }, () => deck.draw(() => true));
  assert.ok(rest.includes(first), 'it comes again soon');
});

test('a heavy kind comes more often than a light one', () => {
  const dealt = deal(5, 2_000);
  const times = (kind: string) => dealt.filter((each) => each === kind).length;
  assert.ok(times('kind 3') > 2 * times('kind 4'));
});
