import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';

const hourMs = 3_600_000;

test('a wall clock that is stepped by an hour fences nobody and moves no tick', async (t) => {
  const world = await makeActorWorld(t);
  await world.add('job', '* * * * * *');
  const nodes = [world.node('a'), world.node('b')];
  await until('three runs', () => world.ledger.entries.length >= 3);
  const { now } = Date;
  t.after(() => {
    Date.now = now;
  });
  for (const stepMs of [hourMs, -hourMs]) {
    Date.now = () => now() + stepMs;
    const before = world.ledger.entries.length;
    await until(`runs at ${stepMs} ms`, () => world.ledger.entries.length >= before + 6, 60_000);
  }
  assert.deepEqual(
    nodes.map((node) => node.ending()),
    [null, null],
  );
  const [ended] = await world.rows(
    "SELECT COUNT(*) AS sessions FROM session WHERE state <> 'live'",
  );
  assert.equal(ended?.sessions, 0);
  const [early] = await world.rows(
    'SELECT COUNT(*) AS n FROM run WHERE started_at < scheduled_for',
  );
  assert.equal(early?.n, 0);
  await world.requireSound();
});
