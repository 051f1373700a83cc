import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOfRuns } from '../../../src/store/runs/pageOfRuns.ts';
import { lastFailure } from '../../../src/store/slots/lastFailure.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { addManyJobs } from '../../support/manyJobs.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { scannedRequests, servedRequests } from './rowsOfRequests.ts';

/** Rows that a request reads however little it shows: nodes, groups and targets. */
const always = 200;
/** The slots by which it is known that many wait, read twice, and a window of jobs. */
const lookedAt = 2 * 901 + 1_000;

async function assertServed(world: StoreWorld, which = /./): Promise<void> {
  for (const [name, request] of Object.entries(servedRequests)) {
    if (!which.test(name)) continue;
    let shown = 0;
    const read = await rowsRead(world, async () => {
      shown = await request(world);
    });
    assert.ok(read <= 20 * shown + always, `${name}: ${read} rows read for ${shown}`);
  }
}

await forEachEngine((engine) => {
  test('a list reads at most 20 rows for one that it shows, or a bounded part', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addManyJobs(world, 2_500);
    await assertServed(world);
    // Rare before, often now: half of the runs and of the jobs.
    await world.rows("UPDATE run SET result = 'timed_out' WHERE run_id % 2 = 0");
    await world.rows(`UPDATE job SET last_failure = ${lastFailure}`);
    await assertServed(world, / failed/);
    for (const [name, request] of Object.entries(scannedRequests)) {
      const read = await rowsRead(world, () => request(world));
      assert.ok(read <= 25_000, `${name}: ${read} rows read`);
    }
    const request = servedRequests['waiting jobs'] ?? assert.fail();
    for (const waiting of [800, 1_500, 2_500]) {
      await world.rows(
        `UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE WHERE state = 'idle' LIMIT ?`,
        [waiting],
      );
      const read = await rowsRead(world, () => request(world));
      assert.ok(read <= 20 * 50 + lookedAt + always, `${waiting} jobs wait: ${read} rows read`);
    }
  });

  test('runs of a hundred jobs of a group are found behind those of others', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addManyJobs(world, 2_000);
    await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
        ended_at, result)
      SELECT job_id, 1, 'schedule', 1, at, at, 'succeeded'
      FROM (SELECT job.job_id, NOW(3) - INTERVAL 2 DAY - INTERVAL job.job_id SECOND AS at
        FROM job JOIN target ON target.target_id = job.target_id
        WHERE target.job_group = 'group-1') AS quiet`);
    for (const runsMax of [50, 200]) {
      let shown = 0;
      const query = { after: null, runsMax, groups: ['group-1'] };
      const read = await rowsRead(world, async () => {
        shown = (await pageOfRuns(world.channel, query)).runs.length;
      });
      assert.equal(shown, Math.min(runsMax, 101));
      assert.ok(read <= 20 * shown + always, `${read} rows read for ${shown}`);
    }
  });
});
