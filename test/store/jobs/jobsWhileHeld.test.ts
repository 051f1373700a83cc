import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../support/heldClock.ts';
import type { StoreWorld } from '../../support/storeWorld.ts';
import {
  assertAccounted,
  definitionOf,
  revisionsOf,
  runsOf,
  slotOf,
} from '../verify/assertAccounted.ts';

const done = { verdict: 'done' };

/** A job of which a node holds a launch that was due some seconds ago. */
async function prepared(world: StoreWorld, dueInMs = -5_000) {
  const jobId = await world.addJob('held', { dueInMs });
  const firstMs = (await slotOf(world, jobId)).cursor_at.getTime();
  const node = await world.join('a');
  const [launch] = await node.claim();
  assert.ok(launch);
  return { jobId, firstMs, node, launch };
}

await forEachEngine((engine) => {
  test('after a pause nothing that was prepared can start, and its tick is skipped', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId, firstMs, node, launch } = await prepared(world);
    await pauseJob(world.channel, 'held');
    const verdict = await node.start(launch);
    assert.ok(typeof verdict === 'object' && verdict.verdict === 'refused');
    const runs = await runsOf(world, jobId);
    const skipped = runs.find((run) => run.launch_id === launch.launchId);
    assert.deepEqual([skipped?.result, skipped?.is_final], ['skipped', 1]);
    assert.equal(skipped?.scheduled_for.getTime(), launch.scheduledForMs);
    assert.equal(skipped?.started_at, null);
    const slot = await slotOf(world, jobId);
    assert.deepEqual([slot.state, slot.launch_id, slot.next_run_at], ['idle', null, null]);
    await assertAccounted(world, jobId, firstMs);
  });

  test('a claim that races with a pause leaves nothing that can start', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const jobId = await world.addJob('raced', { dueInMs: -1_000 });
    const firstMs = (await slotOf(world, jobId)).cursor_at.getTime();
    const node = await world.join('a');
    for (let round = 0; round < 10; round += 1) {
      const [launches] = await Promise.all([node.claim(), pauseJob(world.channel, 'raced')]);
      for (const launch of launches) assert.notDeepEqual(await node.start(launch), done);
      assert.equal((await slotOf(world, jobId)).state, 'idle');
      assert.equal((await node.claim()).length, 0);
      await resumeJob(world.channel, 'raced');
      await world.clock.pass(1_000);
    }
    await assertAccounted(world, jobId, firstMs);
  });

  test('a launch ahead of its tick is withdrawn by a pause without a row', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId, firstMs } = await prepared(world, 20_000);
    await pauseJob(world.channel, 'held');
    assert.equal((await runsOf(world, jobId)).length, 0);
    assert.equal((await slotOf(world, jobId)).state, 'idle');
    await assertAccounted(world, jobId, firstMs);
  });

  test('an edit puts a prepared tick back, and it runs under the new revision', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId, firstMs, node, launch } = await prepared(world);
    const changed = await editJob(world.channel, 'held', (old) => ({ ...old, command: 'false' }));
    assert.notDeepEqual(await node.start(launch), done);
    const [again] = await node.claim();
    assert.equal(again?.revision, changed.revision);
    assert.ok(again.scheduledForMs < changed.inForceFromMs);
    assert.equal(again.definition.command, 'false');
    assert.deepEqual(await node.start(again), done);
    assert.deepEqual(await node.finish(again), done);
    await assertAccounted(world, jobId, firstMs);
  });

  test('what executes keeps its revision through an edit, its overlap is skipped', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId, firstMs, node, launch } = await prepared(world);
    assert.deepEqual(await node.start(launch), done);
    await world.clock.set((launch.cursorMs ?? 0) + 1_000);
    await editJob(world.channel, 'held', (old) => ({ ...old, command: 'false' }));
    assert.deepEqual(await node.finish(launch, { exitCode: 7, result: 'failed' }), done);
    const runs = await runsOf(world, jobId);
    const run = runs.find(({ launch_id }) => launch_id === launch.launchId);
    assert.deepEqual([run?.revision, run?.exit_code], [1, 7]);
    const overlap = runs.find(({ reason }) => reason === reasons.stillGoing);
    assert.deepEqual([overlap?.result, overlap?.revision], ['skipped', 1]);
    assert.ok(overlap?.ticks >= 1);
    await assertAccounted(world, jobId, firstMs);
  });

  test('an executing launch of a removed job ends and is never due again', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId, firstMs, node, launch } = await prepared(world);
    await node.start(launch);
    await removeJob(world.channel, 'held');
    assert.deepEqual(await node.finish(launch), done);
    const slot = await slotOf(world, jobId);
    assert.deepEqual([slot.state, slot.next_run_at], ['idle', null]);
    await assertAccounted(world, jobId, firstMs);
  });

  for (const kind of ['pause', 'edit', 'remove'] as const) {
    test(`how many runs go on is said (${kind})`, async (t) => {
      const world = await makeHeldWorld(t, engine);
      const { node, launch } = await prepared(world);
      let edits = 0;
      const edit = () =>
        editJob(world.channel, 'held', (old) => {
          edits += 1;
          return { ...old, command: `echo ${edits}` };
        });
      const change = { pause: pauseJob, edit, remove: removeJob }[kind];
      await node.start(launch);
      assert.equal((await change(world.channel, 'held')).executing, 1);
      if (kind === 'remove') return;
      await node.finish(launch);
      assert.equal((await change(world.channel, 'held')).executing, 0, 'none, and none begins');
    });

    test(`a launch that was never spawned is not put back (${kind})`, async (t) => {
      const world = await makeHeldWorld(t, engine);
      const { jobId, firstMs, node, launch } = await prepared(world);
      await node.start(launch);
      if (kind === 'pause') await pauseJob(world.channel, 'held');
      else if (kind === 'remove') await removeJob(world.channel, 'held');
      else await editJob(world.channel, 'held', (old) => ({ ...old, command: 'false' }));
      const { slotId, stripe, launchId } = launch;
      const request = { kind: 'reset', why: 'own', slotId, stripe, launchId } as const;
      assert.deepEqual(await node.ask(request), done);
      const run = (await runsOf(world, jobId)).find((each) => each.launch_id === launchId);
      assert.deepEqual([run?.result, run?.is_final], ['not_started', 1]);
      const slot = await slotOf(world, jobId);
      const tick = kind === 'edit' ? slot.cursor_at > run?.scheduled_for : slot.next_run_at;
      assert.equal(tick, kind === 'edit' ? true : null);
      await assertAccounted(world, jobId, firstMs);
    });
  }

  test('a pause takes back what was asked for, with its request id', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('yearly', { schedule: '@yearly' }));
    await runJob(world.channel, 'yearly', 'request-1');
    await runJob(world.channel, 'yearly', 'request-2');
    const node = await world.join('a');
    assert.equal((await node.claim())[0]?.requestId, 'request-1');
    await pauseJob(world.channel, 'yearly');
    const runs = await runsOf(world, jobId);
    assert.deepEqual(
      runs.map((run) => [run.result, run.triggered_by, run.request_id]),
      [
        ['skipped', 'manual', 'request-1'],
        ['skipped', 'manual', 'request-2'],
      ],
    );
    assert.equal((await world.rows('SELECT * FROM pending')).length, 0);
    assert.equal((await slotOf(world, jobId)).next_run_at, null);
  });

  test('an edit puts a prepared request back, and it runs', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('yearly', { schedule: '@yearly' }));
    await runJob(world.channel, 'yearly', 'request-1');
    const node = await world.join('a');
    await node.claim();
    await editJob(world.channel, 'yearly', (old) => ({ ...old, command: 'false' }));
    const [launch] = await node.claim();
    assert.deepEqual([launch?.requestId, launch?.revision], ['request-1', 2]);
    const slot = await slotOf(world, jobId);
    assert.ok(slot.cursor_at.getTime() > Date.now(), 'the cursor is next year');
    assert.equal((await revisionsOf(world, jobId)).length, 2);
  });
});
