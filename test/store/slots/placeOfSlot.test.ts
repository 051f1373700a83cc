import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOfSlot } from '../../../src/domain/run/share.ts';
import { placeOfSlot as placeInSql } from '../../../src/store/slots/placeOfSlot.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('the database puts a slot where nodes do', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const ids = [1, 63, 64, 65, 4_095, 4_096, 1_000_003, 2 ** 32 + 7, 10 ** 12];
    for (let id = 128; id < 128 + 64 * 200; id += 61) ids.push(id);
    const rows = ids.map((id) => `(${id}, ${id}, ${id % 64})`);
    await world.rows(`INSERT INTO slot (slot_id, job_id, stripe) VALUES ${rows.join()}`);
    const found = await world.rows(
      `SELECT slot_id, stripe, ${placeInSql} AS place FROM slot ORDER BY slot_id`,
    );
    assert.equal(found.length, ids.length);
    for (const { slot_id: slotId, stripe, place } of found) {
      assert.equal(Number(place), placeOfSlot({ slotId: Number(slotId), stripe: Number(stripe) }));
    }
  });
});
