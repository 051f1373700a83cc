import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../../src/domain/reasons/reasons.ts';
import { pauseJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../../src/store/requests/runJob.ts';
import { forEachEngine } from '../../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../../support/heldClock.ts';
import { assertAccounted, runsOf } from '../../verify/assertAccounted.ts';
import { addPolicyJob, ageSlots, startNext, startWhenDue } from './policyJob.ts';

await forEachEngine((engine) => {
  test('queue launches the first tick that fell into a run, and skips the others', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { overlap: 'queue' });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await ageSlots(world, 5);
    await node.finish(launch);
    const queued = await startNext(world, node);
    assert.equal(queued.trigger, 'queue');
    assert.equal(queued.scheduledForMs, launch.scheduledForMs - 4_000, 'the first after the run');
    await node.finish(queued);
    const waited = (await runsOf(world, job.jobId)).filter(({ result }) => result === 'skipped');
    assert.ok(waited.length >= 1);
    // A second may begin between the end and the claim: its tick is a row of its own.
    assert.deepEqual([...new Set(waited.map(({ reason }) => reason))], [reasons.oneWaits]);
    await assertAccounted(world, job.jobId, job.firstMs - 5_000);
  });

  test('queue-all launches every tick in its order, and a pause ends what waits', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { overlap: 'queue-all' });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await ageSlots(world, 5);
    await node.finish(launch);
    const first = await startNext(world, node);
    assert.equal(first.scheduledForMs, launch.scheduledForMs - 4_000);
    await node.finish(first);
    const second = await startNext(world, node);
    assert.equal(second.scheduledForMs, launch.scheduledForMs - 3_000);
    assert.ok((await world.rows('SELECT 1 FROM pending')).length >= 2, 'the others wait');
    await pauseJob(world.channel, job.name);
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
    await node.finish(second);
    await assertAccounted(world, job.jobId, job.firstMs - 5_000);
  });

  test('a run is seen as overlapped once its next tick has come, but no paused job', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { overlap: 'replace' });
    const node = await world.join('a');
    await startNext(world, node);
    await world.rows('UPDATE slot SET cursor_at = NOW(3) + INTERVAL 5 SECOND');
    assert.equal((await node.store.lookAtHeld()).own[0]?.isOverlapped, false);
    await world.rows('UPDATE slot SET cursor_at = NOW(3)');
    const { isOverlapped, isBehind } = (await node.store.lookAtHeld()).own[0] ?? {};
    assert.deepEqual([isOverlapped, isBehind], [true, false]);
    await world.rows('UPDATE slot SET cursor_at = started_at - INTERVAL 1 SECOND');
    assert.equal((await node.store.lookAtHeld()).own[0]?.isBehind, true, 'a tick of a backlog');
    await pauseJob(world.channel, job.name);
    assert.equal((await node.store.lookAtHeld()).own[0]?.isOverlapped, false);
  });

  test('replace launches the last tick that came while the old run was stopped', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { overlap: 'replace' });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await ageSlots(world, 3);
    await node.finish(launch, { result: 'stopped', exitCode: null });
    const next = await startNext(world, node);
    assert.ok(next.scheduledForMs > launch.scheduledForMs - 1_000, 'not the first of them');
    await node.finish(next);
    const skipped = (await runsOf(world, job.jobId)).filter(({ result }) => result === 'skipped');
    assert.ok(skipped.length >= 1);
    assert.ok(skipped.every(({ reason }) => reason === reasons.laterTick));
    await assertAccounted(world, job.jobId, job.firstMs - 3_000);
  });

  test('a run that is asked for takes the place of a run that may be replaced', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { overlap: 'terminate' });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await world.rows('UPDATE slot SET cursor_at = NOW(3) + INTERVAL 1 DAY');
    await runJob(world.channel, job.name, 'request-1');
    assert.equal((await node.store.lookAtHeld()).own[0]?.stopRequested, true);
    await node.finish(launch, { result: 'stopped', exitCode: null });
    const [asked] = await node.claim();
    assert.equal(asked?.requestId, 'request-1');
    await startWhenDue(world, node, asked as typeof launch);
  });
});
