import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('what is old goes round by round for as long as there is more', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const node = await world.join('a');
    await world.rows(`INSERT INTO idempotency_key (key_hash, request_hash, made_at, taken_at)
      WITH RECURSIVE some (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM some WHERE n < 39)
      SELECT UNHEX(SHA2(40 * one.n + other.n, 256)), '', NOW(3) - INTERVAL 3 DAY, NOW(3)
      FROM some one JOIN some other`);
    const left = async () => {
      const [row] = await world.rows('SELECT COUNT(*) AS many FROM idempotency_key');
      return Number(row?.many);
    };
    assert.equal(await left(), 1_600);
    const seen: number[] = [];
    for (let round = 1; round <= 4; round += 1) {
      await node.store.runMaintenance();
      seen.push(await left());
    }
    assert.deepEqual(seen, [1_100, 600, 100, 0]);
  });
});
