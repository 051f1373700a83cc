import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { selectDue } from '../../../src/store/lifecycle/readDue.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('a claim reads the due end of one index, whatever stands idle behind it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('due');
    const idle = Array.from({ length: 20_000 }, (_, number) => `(${number + 10}, ${number % 64})`);
    await world.rows(`INSERT INTO slot (job_id, stripe) VALUES ${idle.join()}`);
    await world.rows(`UPDATE slot SET next_run_at = NOW(3) + INTERVAL job_id MINUTE,
      cursor_at = next_run_at WHERE job_id >= 10`);
    await world.rows('ANALYZE TABLE slot');
    const none = [[0, 0]];
    const parameters = [
      allStripes,
      ['', 'a'],
      [0],
      [0],
      false,
      [-1],
      2_000_000,
      3_000_000,
      0,
      4_096,
      3_000_000,
      none,
      500,
    ];
    const plan = await world.rows(
      `EXPLAIN FORMAT=TRADITIONAL ${selectDue}`.replace(
        engine === 'mariadb' ? ' FORMAT=TRADITIONAL' : '',
        '',
      ),
      parameters,
    );
    const slot = plan.find((row) => row.table === 'slot');
    assert.equal(slot?.key, 'slot_by_due');
    assert.equal(slot?.type, 'range');
    assert.ok(slot?.rows <= 10, `it expects to read ${slot?.rows} rows`);
    assert.doesNotMatch(String(slot?.Extra), /filesort|temporary/i);
    const job = plan.find((row) => row.table === 'job');
    assert.equal(job?.type, 'eq_ref');

    const readBefore = await handlerReads(world.rows);
    const found = await world.rows(selectDue, parameters);
    assert.equal(found.length, 1);
    const read = (await handlerReads(world.rows)) - readBefore;
    assert.ok(read < 50, `it read ${read} rows to find one`);
  });
});

/** Rows that the server read for this connection; reading the counter itself reads no index. */
async function handlerReads(rows: (sql: string) => Promise<Record<string, unknown>[]>) {
  const counters = await rows(`SHOW SESSION STATUS WHERE Variable_name IN
    ('Handler_read_next', 'Handler_read_key', 'Handler_read_prev', 'Handler_icp_attempts')`);
  return counters.reduce((sum, counter) => sum + Number(counter.Value), 0);
}
