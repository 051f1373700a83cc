import assert from 'node:assert/strict';
import test from 'node:test';
import { readHistoryBounds } from '../../../src/store/events/readRunEvents.ts';
import { deleteRemovedJob } from '../../../src/store/history/deleteRemovedJob.ts';
import { deleteRuns } from '../../../src/store/history/deleteRuns.ts';
import {
  readLastSuccess,
  readRunTotals,
  readSettledRunId,
} from '../../../src/store/metrics/openGaugeReader.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('the highest number that is cleaned away stays known when its job is gone', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [first, second] = [await world.addJob('a'), await world.addJob('b')];
    await writeRuns(world, [first, second, first, second]);
    const until = { endedMs: Date.now() + 60_000, runId: 1_000 };
    await deleteRuns(world.channel, first, { until, keptIds: [], rowsMax: 100 });
    const bounds = await readHistoryBounds(world.channel, {});
    assert.deepEqual([bounds.deletedUntil, bounds.high], [3, 4]);
    const ofOther = await readHistoryBounds(world.channel, { jobs: ['b'] });
    assert.deepEqual([ofOther.deletedUntil, ofOther.high], [0, 4]);
    await world.rows(
      `UPDATE job SET removed_no = job_id, removed_at = NOW(3) - INTERVAL 100 DAY
       WHERE job_id = ?`,
      [first],
    );
    assert.equal(await deleteRemovedJob(world.channel, first, 90), true);
    assert.equal((await readHistoryBounds(world.channel, {})).deletedUntil, 3);
  });

  test('history rows are counted once, and the last success of a job is found', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [first, second] = [await world.addJob('a'), await world.addJob('b')];
    assert.equal(await readSettledRunId(world.channel), 0);
    await writeRuns(world, [first, first, second]);
    // Rows of just now may have others below them that are not committed.
    assert.deepEqual((await readRunTotals(world.channel, 0)).totals, []);
    await world.rows('UPDATE run SET ended_at = ended_at - INTERVAL 1 MINUTE');
    await world.rows("UPDATE run SET result = 'failed' WHERE job_id = ?", [second]);
    const { totals, until } = await readRunTotals(world.channel, 0);
    assert.deepEqual(
      totals.map(({ jobId, result, rows }) => [jobId, result, rows]),
      [
        [first, 'succeeded', 2],
        [second, 'failed', 1],
      ],
    );
    assert.deepEqual((await readRunTotals(world.channel, until)).totals, []);
    assert.equal(await readSettledRunId(world.channel), until);
    const last = await readLastSuccess(world.channel, [first, second]);
    assert.deepEqual([...last.keys()], [first]);
    assert.equal(last.get(first), totals[0]?.lastMs);
  });
});

async function writeRuns(world: StoreWorld, jobIds: readonly number[]): Promise<void> {
  for (const jobId of jobIds) {
    await world.rows(
      `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at, result)
       VALUES (?, 1, 'schedule', 1, NOW(3), NOW(3), 'succeeded')`,
      [jobId],
    );
  }
}
