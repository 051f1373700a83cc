import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyMissed } from '../../../src/domain/policies/whyMissed.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { anyPlacement } from '../../../src/domain/targeting/mayTake.ts';
import { plainNode } from '../../../src/domain/targeting/nodeFacts.ts';

const [fromMs, untilMs] = [100_000, 200_000];
const targeting = { groups: new Map(), placements: new Map([[0, anyPlacement]]) };
const node = (nodeName: string, held: readonly [number, number] | null) => ({
  ...{ ...plainNode, nodeName, fromMs: 0, untilMs: 300_000 },
  ...{ heldFromMs: held?.[0] ?? null, heldUntilMs: held?.[1] ?? null },
});
const why = (...sessions: readonly ReturnType<typeof node>[]) =>
  whyMissed(
    { nodeName: '', targetId: 0, fromMs, untilMs },
    { sessions, targeting, fullAt: new Map() },
  );

test('ticks are missed since nodes were cordoned only where all that could run them were', () => {
  const held = node('a', [50_000, 250_000]);
  assert.equal(why(held), reasons.cordoned);
  assert.equal(why(held, node('b', [50_000, 195_000])), reasons.cordoned, 'a claim takes a moment');
  assert.equal(why(held, node('b', null)), reasons.notTaken);
  assert.equal(why(held, node('b', [50_000, 150_000])), reasons.notTaken, 'it was over before');
  assert.equal(why(held, node('b', [150_000, 250_000])), reasons.notTaken, 'it began later');
  assert.equal(why({ ...held, labels: [], level: 0 as 1 }), reasons.noEligibleNode);
});
