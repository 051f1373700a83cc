import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { addManyJobs } from '../../support/manyJobs.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { scannedRequests, servedRequests } from './rowsOfRequests.ts';

/** Rows that a request reads however little it shows: nodes, groups and targets. */
const always = 200;
/** The slots by which it is known that many wait, read twice, and a window of jobs. */
const lookedAt = 2 * 2_001 + 1_000;

await forEachEngine((engine) => {
  test('a list reads at most 20 rows for one that it shows, or a bounded part', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addManyJobs(world, 2_500);
    for (const [name, request] of Object.entries(servedRequests)) {
      let shown = 0;
      const read = await rowsRead(world, async () => {
        shown = await request(world);
      });
      assert.ok(read <= 20 * shown + always, `${name}: ${read} rows read for ${shown}`);
    }
    for (const [name, request] of Object.entries(scannedRequests)) {
      const read = await rowsRead(world, () => request(world));
      assert.ok(read <= 25_000, `${name}: ${read} rows read`);
    }
    await world.rows(
      "UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE WHERE state = 'idle'",
    );
    const request = servedRequests['waiting jobs'] ?? assert.fail();
    const read = await rowsRead(world, () => request(world));
    assert.ok(read <= 20 * 50 + lookedAt + always, `all jobs wait: ${read} rows read`);
  });
});
