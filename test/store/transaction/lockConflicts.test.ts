import assert from 'node:assert/strict';
import { test } from 'node:test';
import mysql from 'mysql2/promise';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

test('a batch that is rolled back again and again was busy, and goes when it can', async (t) => {
  const scope = lastFirst(t);
  const world = await makeReusedWorld(scope, 'mariadb');
  await world.addJob('plain');
  const node = await world.join('a', { ttlMs: 15_000 });
  const [launch] = await node.claim();
  assert.ok(launch);
  const outsider = await mysql.createConnection(world.url);
  scope.after(() => outsider.end());
  await outsider.query('START TRANSACTION');
  await outsider.query('SELECT * FROM slot FOR UPDATE');
  assert.deepEqual(await node.start(launch), { verdict: 'busy' });
  await outsider.query('ROLLBACK');
  assert.deepEqual(await node.start(launch), { verdict: 'done' });
});
