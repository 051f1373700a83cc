import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/policies/reasons.ts';
import type { Row } from '../../../src/store/channel.ts';
import { editJob } from '../../../src/store/jobs/changeJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { assertAccounted, runsOf } from '../assertAccounted.ts';
import { addPolicyJob, startNext } from './policyJob.ts';

/** The ticks of a range of every second. */
function secondsOf({ scheduled_for: from, ticks }: Row): number[] {
  return Array.from({ length: ticks }, (_, place) => from.getTime() + 1_000 * place);
}

await forEachEngine((engine) => {
  test('with skip all missed ticks are rows, and the one that is due is launched', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const job = await addPolicyJob(world, { misfire: 'skip' }, -3_600_000);
    const node = await world.join('a');
    const launch = await startNext(node);
    await node.finish(launch);
    const [missed] = await runsOf(world, job.jobId);
    assert.deepEqual([missed?.result, missed?.reason], ['missed', reasons.nobodyThere]);
    assert.ok(missed?.ticks >= 3_599);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('with all, ticks within the window are launched in order, older are one row', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const policies = { misfire: 'all', catchUpMs: 20_000 } as const;
    const job = await addPolicyJob(world, policies, -30 * 86_400_000 + 90_000_000);
    await world.rows('UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 40 DAY');
    const node = await world.join('a');
    const launched: number[] = [];
    for (let launch = await startNext(node); ; launch = await startNext(node)) {
      await node.finish(launch);
      launched.push(launch.scheduledForMs);
      if (launch.trigger === 'schedule') break;
    }
    const ranges = (await runsOf(world, job.jobId)).filter(({ launch_id: id }) => id === null);
    const [older, ...others] = ranges;
    assert.equal(older?.reason, reasons.tooOld);
    assert.equal(older?.scheduled_until.getTime(), (launched[0] ?? 0) - 1_000);
    // On a machine that stands still for a second some of the window grow too old in their turn.
    const grown = others.filter(({ reason }) => reason === reasons.tooOld).flatMap(secondsOf);
    const told = [...launched, ...grown].sort((one, other) => one - other);
    assert.deepEqual(
      told,
      told.map((_, place) => (launched[0] ?? 0) + 1_000 * place),
      'each in its turn, those that came meanwhile at the end',
    );
    assert.deepEqual(launched, launched.toSorted());
    assert.ok(told.length >= 19, `${launched.length} launches`);
    assert.ok(ranges.length <= 3 + grown.length, `${ranges.length} range rows`);
  });

  test('an edit ends a backlog: the last of it is made up for', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const job = await addPolicyJob(world, { misfire: 'all' }, -60_000);
    const node = await world.join('a');
    await node.finish(await startNext(node));
    await editJob(world.channel, job.name, (old) => ({ ...old, command: 'echo edited' }));
    const runs = await runsOf(world, job.jobId);
    const dropped = runs.filter(({ reason }) => reason === reasons.edited);
    assert.equal(dropped.length, 1);
    assert.ok(dropped[0]?.ticks > 50);
    await node.finish(await startNext(node));
    await assertAccounted(world, job.jobId, job.firstMs);
  });
});
