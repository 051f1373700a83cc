import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upstream } from '../../../src/domain/job/fieldTable/upstream.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { holdStripes } from '../../actors/holdStripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';

function add({ channel }: StoreWorld, name: string, after: Upstream[] = [], more = {}) {
  const base: JobDefinition = { ...jobDefaults, name, schedule: '@manual', command: 'true' };
  const chained = after.length === 0 ? {} : { after, format: 3 };
  return addJob(channel, { ...base, ...chained, ...more });
}

async function claimOf(node: TestNode, name: string): Promise<Launch> {
  const launch = (await node.claim()).find(({ definition }) => definition.name === name);
  assert.ok(launch, `${name} is not claimed`);
  return launch;
}

/** Runs a job once to its end. */
async function runOnce(world: StoreWorld, node: TestNode, name: string, isGood = true) {
  await runJob(world.channel, name, `ask-${name}-${Math.random()}`);
  const launch = await claimOf(node, name);
  await node.start(launch);
  await node.finish(launch, isGood ? {} : { result: 'failed', exitCode: 3 });
  return launch;
}

function runsOf({ rows }: StoreWorld, name: string) {
  return rows(
    `SELECT result, reason, triggered_by, request_id, is_final, attempt FROM run
     JOIN job USING (job_id) WHERE name = ? ORDER BY run_id`,
    [name],
  );
}

await forEachEngine((engine) => {
  test('a job that follows another runs once for each end, with the end in its env', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    await add(world, 'good', [{ job: 'first', on: 'success' }]);
    await add(world, 'bad', [{ job: 'first', on: 'failure' }]);
    await add(world, 'any', [{ job: 'first', on: 'end' }]);
    const a = await world.join('a');
    const launch = await runOnce(world, a, 'first');
    assert.equal(await a.store.runMaintenance(), 2);
    assert.equal(await a.store.runMaintenance(), 0);
    const claimed = await a.claim();
    const names = claimed.map(({ definition }) => definition.name);
    assert.deepEqual(names.sort(), ['any', 'good']);
    for (const { definition, trigger, requestId } of claimed) {
      assert.equal(trigger, 'chain');
      assert.equal(requestId, `chain:${launch.launchId}`);
      assert.deepEqual(definition.env, {
        STATECRON_UPSTREAM_JOB: 'first',
        STATECRON_UPSTREAM_LAUNCH_ID: launch.launchId,
        STATECRON_UPSTREAM_RESULT: 'succeeded',
      });
    }
    for (const each of claimed) {
      await a.start(each);
      await a.finish(each);
    }
    await runOnce(world, a, 'first', false);
    assert.equal(await a.store.runMaintenance(), 2);
    const again = await a.claim();
    assert.deepEqual(again.map(({ definition }) => definition.name).sort(), ['any', 'bad']);
  });

  test('nodes that look at the same ends at once tell none of them twice', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    await add(world, 'second', [{ job: 'first', on: 'end' }]);
    const nodes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => world.join(name)));
    const [a] = nodes as [TestNode];
    for (let round = 0; round < 6; round += 1) {
      await runOnce(world, a, 'first');
      const started = await Promise.all(nodes.map(({ store }) => store.runMaintenance()));
      assert.equal(
        started.reduce((sum, each) => sum + each, 0),
        1,
      );
      const second = await claimOf(a, 'second');
      await a.start(second);
      await a.finish(second);
    }
    const told = await runsOf(world, 'second');
    assert.deepEqual(
      told.map(({ result }) => result),
      Array.from({ length: 6 }, () => 'succeeded'),
    );
  });

  test('an end is delivered later when a stripe is held or the finishing node dies', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    const { jobId } = await add(world, 'second', [{ job: 'first', on: 'end' }]);
    const a = await world.join('a');
    const release = await holdStripes({ url: world.url, scope: t }, [jobId % 64]);
    await runOnce(world, a, 'first');
    await a.store.close();
    const b = await world.join('b');
    assert.equal(await b.store.runMaintenance(), 0, 'it waits for nobody');
    await world.rows('UPDATE chain_link SET swept_until = NOW(3) - INTERVAL 1 HOUR');
    assert.equal(await b.store.runMaintenance(), 0);
    await release();
    assert.equal(await b.store.runMaintenance(), 1);
    assert.equal((await claimOf(b, 'second')).trigger, 'chain');
    assert.equal(await b.store.runMaintenance(), 0);
  });

  test('an end that is recorded long after it still starts what follows', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    await add(world, 'second', [{ job: 'first', on: 'end' }]);
    const a = await world.join('a', { ttlMs: 600_000 });
    await runJob(world.channel, 'first', 'ask');
    const launch = await claimOf(a, 'first');
    await a.start(launch);
    await world.rows('UPDATE slot SET started_at = started_at - INTERVAL 9 MINUTE');
    await world.rows('UPDATE chain_link SET linked_at = linked_at - INTERVAL 1 HOUR');
    assert.equal(await a.store.runMaintenance(), 0);
    const [row] = await world.rows('SELECT NOW(3) AS now');
    await a.finish(launch, {}, row?.now.getTime() - 8 * 60_000);
    assert.equal(await a.store.runMaintenance(), 1);
    assert.equal((await claimOf(a, 'second')).trigger, 'chain');
  });

  test('the end of a lost run counts, one before the edge or to be retried does not', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    const a = await world.join('a');
    await runOnce(world, a, 'first', false);
    await add(world, 'second', [{ job: 'first', on: 'failure' }]);
    assert.equal(await a.store.runMaintenance(), 0);
    await runJob(world.channel, 'first', 'lost-one');
    await a.start(await claimOf(a, 'first'));
    const b = await world.join('b');
    await b.store.endSession(a.sessionId, 'test', null);
    const stripes = Array.from({ length: 64 }, (_, stripe) => stripe);
    await b.ask({ kind: 'reap', sessionId: a.sessionId, stripes });
    assert.equal(await b.store.runMaintenance(), 1);
    const second = await claimOf(b, 'second');
    assert.equal(second.definition.env.STATECRON_UPSTREAM_RESULT, 'lost');
    await world.rows(`UPDATE run SET is_final = 0`);
    await runOnce(world, b, 'first');
    assert.equal(await b.store.runMaintenance(), 0, 'a success is no failure');
  });

  test('a paused follower is not started, and one start at most waits', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'first');
    await add(world, 'second', [{ job: 'first', on: 'success' }]);
    const a = await world.join('a');
    await pauseJob(world.channel, 'second');
    await runOnce(world, a, 'first');
    assert.equal(await a.store.runMaintenance(), 0);
    const [paused] = await runsOf(world, 'second');
    assert.deepEqual(
      [paused?.result, paused?.reason, paused?.triggered_by],
      ['skipped', 'the job was paused', 'chain'],
    );
    const edit = await world.join('b');
    assert.equal(await edit.store.runMaintenance(), 0, 'it is dealt with');
    await add(world, 'third', [{ job: 'first', on: 'success' }]);
    for (let run = 0; run < 3; run += 1) await runOnce(world, a, 'first');
    await a.store.runMaintenance();
    const skipped = await runsOf(world, 'third');
    assert.equal(skipped.length, 2);
    assert.match(skipped[0]?.reason as string, /waiting already/);
  });

  test('missing upstreams, circles and the removal of an upstream are refused', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await assert.rejects(add(world, 'x', [{ job: 'nobody', on: 'end' }]), {
      code: 'upstream_missing',
    });
    await add(world, 'one');
    await add(world, 'two', [{ job: 'one', on: 'success' }]);
    await add(world, 'three', [{ job: 'two', on: 'failure' }]);
    const circle = editJob(channel, 'one', (old) => ({
      ...old,
      after: [{ job: 'three', on: 'end' }],
    }));
    await assert.rejects(circle, {
      code: 'chain_cycle',
      message: /"one" → "two" → "three" → "one"/,
    });
    assert.equal((await world.rows('SELECT * FROM chain_link')).length, 2);
    await assert.rejects(removeJob(channel, 'one'), { code: 'job_followed', message: /"two"/ });
    await removeJob(channel, 'three');
    await removeJob(channel, 'two');
    await removeJob(channel, 'one');
    assert.deepEqual(await world.rows('SELECT * FROM chain_link'), []);
  });

  test('a retry by hand is the next attempt, with the env of its request', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'job');
    const a = await world.join('a');
    await runJob(world.channel, 'job', 'request-1', { env: { LEVEL: '9' } });
    const first = await claimOf(a, 'job');
    assert.deepEqual(first.definition.env, { LEVEL: '9' });
    await a.start(first);
    await assert.rejects(retryRun(world.channel, first.launchId), { code: 'run_goes_on' });
    await a.finish(first, { result: 'failed', exitCode: 1 });
    const asked = await retryRun(world.channel, first.launchId);
    assert.deepEqual([asked.attempt, asked.isNew], [2, true]);
    await assert.rejects(retryRun(world.channel, 'request-1'), { code: 'run_goes_on' });
    assert.equal((await retryRun(world.channel, first.launchId)).isNew, false);
    const second = await claimOf(a, 'job');
    assert.deepEqual([second.attempt, second.trigger, second.requestId], [2, 'retry', 'request-1']);
    assert.deepEqual(second.definition.env, { LEVEL: '9' });
    await a.start(second);
    await a.finish(second);
    const runs = await runsOf(world, 'job');
    assert.deepEqual(
      runs.map((run) => [run.attempt, run.is_final]),
      [
        [1, 0],
        [2, 1],
      ],
    );
  });
});
