import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../../src/domain/reasons/reasons.ts';
import { editJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { forEachEngine } from '../../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../../support/heldClock.ts';
import { assertAccounted, runsOf } from '../../verify/assertAccounted.ts';
import { addPolicyJob, startNext } from './policyJob.ts';

await forEachEngine((engine) => {
  test('with skip all missed ticks are rows, and the one that is due is launched', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { misfire: 'skip' }, -3_600_000);
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await node.finish(launch);
    const [missed] = await runsOf(world, job.jobId);
    assert.deepEqual([missed?.result, missed?.reason], ['missed', reasons.nobodyThere]);
    assert.ok(missed?.ticks >= 3_599);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('with all, ticks within the window are launched in order, older are one row', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const policies = { misfire: 'all', catchUpMs: 20_000 } as const;
    const job = await addPolicyJob(world, policies, -30 * 86_400_000 + 90_000_000);
    await world.rows('UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 40 DAY');
    const node = await world.join('a');
    const nowMs = world.clock.nowMs();
    const launched: number[] = [];
    for (let launch = await startNext(world, node); ; launch = await startNext(world, node)) {
      await node.finish(launch);
      launched.push(launch.scheduledForMs - nowMs);
      if (launch.trigger === 'schedule') break;
    }
    const inOrder = Array.from({ length: 20 }, (_, place) => -19_500 + 1_000 * place);
    assert.deepEqual(launched, inOrder, 'those of 20 s, and none twice');
    const [older, ...others] = (await runsOf(world, job.jobId)).filter((run) => run.ticks > 1);
    assert.deepEqual([older?.reason, others], [reasons.tooOld, []]);
    assert.equal(older?.scheduled_until.getTime() - nowMs, -20_500);
  });

  test('an edit ends a backlog: the last of it is made up for', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { misfire: 'all' }, -60_000);
    const node = await world.join('a');
    await node.finish(await startNext(world, node));
    await editJob(world.channel, job.name, (old) => ({ ...old, command: 'echo edited' }));
    const runs = await runsOf(world, job.jobId);
    const dropped = runs.filter(({ reason }) => reason === reasons.edited);
    assert.equal(dropped.length, 1);
    assert.ok(dropped[0]?.ticks > 50);
    await node.finish(await startNext(world, node));
    await assertAccounted(world, job.jobId, job.firstMs);
  });
});
