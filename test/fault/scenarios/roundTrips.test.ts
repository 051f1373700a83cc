import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchRequest } from '../../../src/domain/commit/batch.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { noShare, wholeLine } from '../../../src/domain/run/share.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { runsOf, slotOf } from '../../store/verify/assertAccounted.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { succeeded, type TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { addressOf, hasDone, settled } from './lostOrLate.ts';

/** What was meant for the launch that the row held when somebody looked. */
const lateRequests: Record<string, (launch: Launch) => BatchRequest> = {
  start: (launch) => ({ kind: 'start', ...addressOf(launch), waitUntilMs: null }),
  finish: (launch) => ({ kind: 'finish', ...addressOf(launch), execution: succeeded }),
  'reset of its own': (launch) => ({ kind: 'reset', why: 'own', ...addressOf(launch) }),
  'reset while draining': (launch) => ({ kind: 'reset', why: 'draining', ...addressOf(launch) }),
  'reset for being overdue': (launch) => ({ kind: 'reset', why: 'overdue', ...addressOf(launch) }),
};

await forEachEngine((engine) => {
  for (const state of ['prepare', 'executing'] as const) {
    test(`a row that went round and is ${state} takes nothing meant for before`, async (t) => {
      const world = await makeStoreWorld(t, engine);
      const jobId = await world.addJob('job');
      const node = await world.join('a');
      const [first] = await node.claim();
      assert.ok(first);
      await startAtTick(node, first);
      assert.deepEqual(await node.finish(first), { verdict: 'done' });
      const [second] = await node.claim();
      assert.ok(second);
      assert.equal(second.slotId, first.slotId);
      if (state === 'executing') await startAtTick(node, second);
      // As overdue as can be, so that only the launch id keeps a reset off.
      else await world.rows('UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE');
      const before = await slotOf(world, jobId);
      const history = await runsOf(world, jobId);
      for (const [name, request] of Object.entries(lateRequests)) {
        const verdict = await settled(node, request(first));
        assert.equal(verdict.verdict, 'refused', name);
        assert.deepEqual(await slotOf(world, jobId), before, name);
      }
      await assert.rejects(stopRun(world.channel, first.launchId), { code: 'run_ended' });
      assert.deepEqual(await slotOf(world, jobId), before, 'stop');
      assert.deepEqual(await runsOf(world, jobId), history);
    });
  }

  test('two nodes that saw the same slot due have one launch of it', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const nodes = [await world.join('a'), await world.join('b'), await world.join('c')];
    const horizon = { nodeName: '', share: noShare, aheadMs: 0, aheadAnywhereMs: 30_000 };
    for (let round = 1; round <= 10; round += 1) {
      const jobId = await world.addJob(`job${round}`, { schedule: '0 0 1 1 *' });
      const looks = await Promise.all(nodes.map(({ store }) => store.peekDue(horizon, 10)));
      assert.ok(looks.every(({ stripes }) => stripes.includes(jobId % 64)));
      const claims = await Promise.all(nodes.map((node) => claimOf(world, node, jobId)));
      const launches = claims.flat();
      assert.equal(launches.length, 1);
      assert.equal((await slotOf(world, jobId)).launch_id, launches[0]?.launchId);
    }
  });
});

async function startAtTick(node: TestNode, launch: Launch): Promise<void> {
  await until('the tick', async () => {
    const verdict = await node.start(launch);
    return typeof verdict === 'object' && verdict.verdict === 'done';
  });
}

/** Claims on the stripe of a job until it is had, like a node that looked and then waited. */
async function claimOf(world: StoreWorld, node: TestNode, jobId: number): Promise<Launch[]> {
  const stripe = jobId % 64;
  const launches: Launch[] = [];
  await until('the job is claimed', async () => {
    const claim = { kind: 'claim', share: wholeLine, dueStripes: [stripe] } as const;
    const far = { aheadMs: 30_000, aheadAnywhereMs: 30_000, slotsMax: 10 };
    const verdict = await node.ask({ ...claim, ...far });
    assert.ok(typeof verdict === 'object' && verdict.verdict === 'claimed');
    launches.push(...verdict.launches);
    return hasDone(verdict) || (await slotOf(world, jobId)).state !== 'idle';
  });
  return launches;
}
