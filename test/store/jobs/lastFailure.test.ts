import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyDefaults } from '../../../src/domain/commit/historyKeep.ts';
import { failureResults } from '../../../src/domain/run/run.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { pageOfJobs } from '../../../src/store/jobs/pageOfJobs.ts';
import { recordLate } from '../../../src/store/runs/recordLate.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { succeeded, type TestNode } from '../../support/testNode.ts';

async function kept(world: StoreWorld): Promise<unknown> {
  const [job] = await world.rows('SELECT last_failure FROM job');
  return job?.last_failure;
}

async function failed(world: StoreWorld): Promise<string[]> {
  const size = { sort: 'name', after: null, jobsMax: 50, definitionBytesMax: 1024 * 1024 } as const;
  const { jobs } = await pageOfJobs(world.channel, { ...size, lastResults: failureResults });
  return jobs.map(({ name }) => name);
}

/** As a pass over all jobs does. */
async function clean(world: StoreWorld, node: TestNode): Promise<void> {
  await world.rows('UPDATE cleaning SET due_at = NOW(3), until_at = NOW(3)');
  while ((await node.store.cleanHistory(historyDefaults)).isMore);
}

const failing = { ...succeeded, result: 'failed', exitCode: 1 } as const;

await forEachEngine((engine) => {
  test('the row of a job says how its last run ended, whichever way that was', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('job', { dueInMs: -20_000 });
    const node = await world.join('web1');
    const run = async (execution: typeof succeeded | typeof failing): Promise<void> => {
      const [launch] = await node.claim(1);
      assert.ok(launch);
      assert.deepEqual(await node.start(launch), { verdict: 'done' });
      assert.deepEqual(await node.finish(launch, execution), { verdict: 'done' });
      await world.rows('UPDATE slot SET next_run_at = NOW(3), cursor_at = NOW(3)');
    };
    await run(succeeded);
    assert.deepEqual([await kept(world), await failed(world)], [null, []], 'it is looked up');
    await run(failing);
    assert.deepEqual([await kept(world), await failed(world)], ['failed', ['job']]);
    await run(succeeded);
    assert.deepEqual([await kept(world), await failed(world)], ['', []]);
    await run(failing);
    assert.deepEqual([await kept(world), await failed(world)], ['failed', ['job']]);
    await run(succeeded);
    const [launch] = await node.claim(1);
    assert.ok(launch);
    await node.start(launch);
    await node.store.endSession(node.sessionId, 'test', null);
    const heir = await world.join('web2');
    await heir.ask({ kind: 'reap', sessionId: node.sessionId, stripes: allStripes });
    assert.deepEqual([await kept(world), await failed(world)], ['lost', ['job']]);
    const late = { launchId: launch.launchId, execution: succeeded, endedMs: null };
    assert.equal((await recordLate(world.channel, late)).outcome, 'committed');
    assert.deepEqual([await kept(world), await failed(world)], [null, []]);
    await clean(world, heir);
    assert.equal(await kept(world), '');
  });

  test('while a node of an earlier version was there, the history is asked', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('job');
    const node = await world.join('web1');
    await clean(world, node);
    await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
        ended_at, result) SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3), 'failed' FROM job`);
    assert.deepEqual(await failed(world), [], 'nobody else writes runs');
    await world.rows('UPDATE session SET keeps_failures = 0');
    assert.deepEqual(await failed(world), ['job'], 'it is live');
    await node.store.endSession(node.sessionId, 'test', null);
    assert.deepEqual(await failed(world), ['job'], 'it was');
    const heir = await world.join('web2');
    await clean(world, heir);
    await world.rows(
      "UPDATE session SET ended_at = ended_at - INTERVAL 25 HOUR WHERE state = 'ended'",
    );
    assert.deepEqual([await kept(world), await failed(world)], ['failed', ['job']]);
  });
});
