import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { addManyJobs } from '../../support/manyJobs.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { scannedRequests, servedRequests } from './rowsOfRequests.ts';

/** Rows that a request reads however little it shows: nodes, groups and targets. */
const always = 200;

await forEachEngine((engine) => {
  test('a list reads at most 20 rows for one that it shows, or a bounded part', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await addManyJobs(world, 2_000);
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
  });
});
