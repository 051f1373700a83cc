import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../../src/domain/run/launch.ts';
import { allStripes } from '../../../../src/domain/run/stripes.ts';
import { editJob, pauseJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../../src/store/requests/runJob.ts';
import { forEachEngine } from '../../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../../support/heldClock.ts';
import type { StoreWorld } from '../../../support/storeWorld.ts';
import { assertAccounted, runsOf } from '../../verify/assertAccounted.ts';
import { addPolicyJob, ageSlots, startWhenDue } from './policyJob.ts';

async function cursorsOf(world: StoreWorld): Promise<(number | undefined)[]> {
  const rows = await world.rows('SELECT cursor_at FROM slot ORDER BY slot_no');
  return rows.map((row) => (row.cursor_at as Date | null)?.getTime());
}

function ticksOf(launches: readonly Launch[], firstMs: number): number[] {
  return launches.map(({ scheduledForMs }) => (scheduledForMs - firstMs) / 1_000);
}

await forEachEngine((engine) => {
  test('slots side by side take one tick each, and share their cursor', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { parallel: 3 });
    assert.equal((await cursorsOf(world)).length, 3);
    const node = await world.join('a');
    const launches = await node.claim();
    assert.deepEqual(ticksOf(launches, launches[0]?.scheduledForMs ?? 0), [0, 1, 2]);
    const lastMs = launches[2]?.scheduledForMs ?? 0;
    assert.deepEqual(new Set(await cursorsOf(world)), new Set([lastMs + 1_000]));
    for (const launch of launches) await startWhenDue(world, node, launch);
    const executing = await world.rows("SELECT 1 FROM slot WHERE state = 'executing'");
    assert.equal(executing.length, 3);
    for (const launch of launches) await node.finish(launch);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a tick is overlapped only when all slots were busy at it', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { parallel: 2 });
    const node = await world.join('a');
    const launches = await node.claim();
    assert.equal(launches.length, 2);
    for (const launch of launches) await startWhenDue(world, node, launch);
    // Both have run for 6 s when the first ends, and the second goes on.
    await ageSlots(world, 6);
    await node.finish(launches[0] as Launch);
    const [next] = await node.claim();
    assert.ok(next);
    await startWhenDue(world, node, next);
    const ranges = (await runsOf(world, job.jobId)).filter(({ launch_id: id }) => id === null);
    const skipped = ranges.filter(({ result }) => result === 'skipped');
    assert.ok(skipped.length === 1 && skipped[0]?.ticks >= 5, `${skipped[0]?.ticks} skipped`);
    await node.finish(next);
    await node.finish(launches[1] as Launch);
    await assertAccounted(world, job.jobId, job.firstMs - 6_000);
  });

  test('what a lost node had prepared is launched by others, once', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { parallel: 2 }, 4_000);
    const dead = await world.join('dead');
    const [first] = await dead.claim(1);
    const heir = await world.join('heir');
    const [second] = await heir.claim(1);
    assert.ok(first && second);
    assert.equal(second.scheduledForMs, first.scheduledForMs + 1_000);
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    const cursors = await cursorsOf(world);
    assert.deepEqual(new Set(cursors), new Set([second.scheduledForMs + 1_000]), 'goes not back');
    const [again] = await heir.claim();
    assert.equal(again?.trigger, 'queue');
    assert.equal(again?.scheduledForMs, first.scheduledForMs);
    for (const launch of [again as Launch, second]) {
      await startWhenDue(world, heir, launch);
      await heir.finish(launch);
    }
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('an edit makes more slots, or fewer once those that execute have ended', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { parallel: 3 });
    const node = await world.join('a');
    const launches = await node.claim();
    for (const launch of launches) await startWhenDue(world, node, launch);
    launches.sort((one, other) => one.slotNo - other.slotNo);
    await node.finish(launches[2] as Launch);
    const edit = (parallel: number) =>
      editJob(world.channel, job.name, (definition) => ({ ...definition, parallel }));
    await edit(1);
    assert.equal((await cursorsOf(world)).length, 2, 'the idle one is gone');
    await node.finish(launches[0] as Launch);
    await node.finish(launches[1] as Launch);
    await node.claim();
    assert.equal((await cursorsOf(world)).length, 1);
    await edit(5);
    const cursors = await cursorsOf(world);
    assert.equal(cursors.length, 5);
    assert.equal(new Set(cursors).size, 1);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a run that is asked for takes a slot, and what it displaced comes back', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { parallel: 2 }, 5_000);
    const node = await world.join('a');
    const prepared = await node.claim();
    assert.equal(prepared.length, 2);
    await runJob(world.channel, job.name, 'request-1');
    const launches = await node.claim();
    assert.deepEqual(
      launches.map(({ trigger }) => trigger),
      ['manual', 'queue'],
    );
    await pauseJob(world.channel, job.name);
    const ended = (await runsOf(world, job.jobId)).map((run) => [run.triggered_by, run.result]);
    assert.deepEqual(ended.sort(), [
      ['manual', 'skipped'],
      ['queue', 'skipped'],
      ['queue', 'skipped'],
    ]);
  });
});
