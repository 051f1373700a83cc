import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../support/heldClock.ts';
import { startWhenDue } from '../lifecycle/policies/policyJob.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  // Found by `npm run sim -- --seed 5282`.
  test('a node that joins before the last tick of an old revision owes none of it', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const a = await world.join('a');
    const fields = { kind: 'every-node', parallel: 3, runsMax: 1 } as const;
    const definition = withLowestFormat(definitionOf('once', fields));
    const { jobId } = await addJob(world.channel, definition);
    const launches = await a.claim();
    assert.equal(launches.length, 3);
    const [first] = launches.sort((one, other) => one.scheduledForMs - other.scheduledForMs);
    assert.ok(first);
    await startWhenDue(world, a, first);
    await a.finish(first);
    assert.equal(
      (await showJob(world.channel, 'once')).isPaused,
      true,
      'it ran as often as it may',
    );

    const b = await world.join('b');
    await b.store.ensureNodeSlots();
    const slots = await world.rows('SELECT * FROM slot WHERE job_id = ?', [jobId]);
    assert.equal(slots.filter(({ node_name }) => node_name === 'b').length, 3);
    await world.clock.pass(10_000);
    assert.deepEqual((await verifyDatabase(world.channel)).findings, []);
  });
});
