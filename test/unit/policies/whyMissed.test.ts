import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyMissed } from '../../../src/domain/policies/whyMissed.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { sessionEnds } from '../../../src/domain/reasons/sessionEnd.ts';
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

test('ticks are missed since the database was away where the recorder had no answer then', () => {
  const past = { sessions: [node('a', null)], targeting, fullAt: new Map() };
  const missed = { nodeName: '', targetId: 0, fromMs, untilMs };
  const during = (...span: [number, number]) =>
    whyMissed(missed, { ...past, outages: [{ fromMs: span[0], untilMs: span[1] }] });
  assert.equal(during(99_000, 200_000), reasons.databaseAway);
  assert.equal(during(99_000, 191_000), reasons.databaseAway, 'a claim takes a moment');
  assert.equal(during(99_000, 150_000), reasons.notTaken, 'it was back long before');
  assert.equal(during(101_000, 200_000), reasons.databaseAway, 'its claim met the outage');
  assert.equal(during(103_000, 200_000), reasons.notTaken, 'the first tick came before it');
});

test('a node that lost the database as soon as it had come was kept by that', () => {
  const placements = new Map([[0, { ...anyPlacement, target: { nodes: ['late'] } }]]);
  const sessions = [node('a', null), { ...node('late', null), fromMs: 195_000 }];
  const missed = { nodeName: '', targetId: 0, fromMs: 196_000, untilMs };
  const past = { sessions, targeting: { groups: new Map(), placements }, fullAt: new Map() };
  const outages = [{ fromMs: 195_500, untilMs: 201_000 }];
  assert.equal(whyMissed(missed, { ...past, outages }), reasons.databaseAway);
  assert.equal(whyMissed(missed, past), reasons.noEligibleNode);
});

test('between two lives of a node that lost the database ticks are missed for that', () => {
  const [before, after] = [node('a', null), node('a', null)];
  const lives = (endedWhy: string | null, nodeName = 'a') =>
    why({ ...before, untilMs: 90_000, ...{ endedWhy } }, { ...after, nodeName, fromMs: 195_000 });
  const lost = { count: 3, forMs: 9_000, silentMs: 0, lastError: 'ECONNREFUSED' };
  assert.equal(lives(sessionEnds.notConfirmed(lost).why), reasons.databaseAway);
  assert.equal(lives(sessionEnds.notConfirmed({ ...lost, count: 1 }).why), reasons.databaseAway);
  assert.equal(lives(sessionEnds.stoodStill(9_000).why), reasons.nobodyThere);
  assert.equal(lives(null), reasons.nobodyThere);
});
