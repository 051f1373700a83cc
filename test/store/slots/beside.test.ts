import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { backfillJob } from '../../../src/store/requests/backfillJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { findUnrunnableJobs } from '../../../src/store/targeting/unrunnableJobs.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { type HeldWorld, makeHeldWorld } from '../../support/heldClock.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { addPolicyJob, startWhenDue } from '../lifecycle/policies/policyJob.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const beside = { facts: { level: -1 } };

/** Runs the job once on the node, as failed; resolves to the name of its slot. */
async function fail(world: HeldWorld, node: TestNode): Promise<string> {
  const launch = (await node.claim()).find(({ definition }) => definition.name === 'policies');
  assert.ok(launch);
  await startWhenDue(world, node, launch);
  await node.finish(launch, { result: 'failed', exitCode: 1 });
  return launch.slotNodeName;
}

const askedFor = async (world: StoreWorld, name: string) => {
  const rows = await world.rows(
    `SELECT pending.node_name, COUNT(*) AS launches FROM pending JOIN job USING (job_id)
     WHERE job.name = ? GROUP BY pending.node_name`,
    [name],
  );
  return rows.map((row) => [row.node_name, Number(row.launches)]);
};

await forEachEngine((engine) => {
  test('what is counted, and what follows, is by the run of the chosen node', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const [chosen, also] = [await world.join('a'), await world.join('also', beside)];
    // A backlog, so that nobody has to wait for ticks.
    const policies = { failuresMax: 2, misfire: 'all' } as const;
    const { name, firstMs } = await addPolicyJob(world, policies, -20_000);
    const began = [new Date(firstMs - 1)];
    await world.rows('UPDATE job_revision SET in_force_from = ?', began);
    await world.rows("UPDATE slot SET created_at = ? WHERE node_name = 'also'", began);
    const after = [{ job: name, on: 'end' as const }];
    await addJob(world.channel, definitionOf('follows', { schedule: '@manual', after, format: 3 }));
    for (let times = 0; times < 3; times += 1) assert.equal(await fail(world, also), 'also');
    await chosen.store.runMaintenance();
    assert.deepEqual(await askedFor(world, 'follows'), []);
    assert.equal((await showJob(world.channel, name)).isPaused, false, 'none of them counts');
    assert.equal(await fail(world, chosen), '');
    await chosen.store.runMaintenance();
    assert.deepEqual(await askedFor(world, 'follows'), [['', 1]], 'it starts where one is chosen');
    await world.rows("DELETE FROM pending WHERE triggered_by = 'chain'");
    assert.equal(await fail(world, chosen), '');
    assert.equal((await showJob(world.channel, name)).isPaused, true);
    const { findings } = await verifyDatabase(world.channel);
    assert.deepEqual(findings, []);
  });

  test('by hand only the chosen node is asked, unless the other one is named', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('a');
    const also = await world.join('also', beside);
    const yearly = { schedule: '0 0 1 1 *', parallel: 2, format: 3 };
    await addJob(world.channel, definitionOf('asked', yearly));
    await runJob(world.channel, 'asked', 'mine');
    const fromMs = Date.parse('2020-01-01T00:00:00Z');
    const range = { fromMs, untilMs: fromMs, ticksMax: 10 };
    await backfillJob(world.channel, 'asked', 'fill', range);
    assert.deepEqual(await askedFor(world, 'asked'), [['', 2]]);
    const full = runJob(world.channel, 'asked', 'more', { ignoresOverlap: true });
    assert.equal((await full).isNew, true, 'a slot of the chosen node is free');
    await runJob(world.channel, 'asked', 'there', { wantedNode: 'also' });
    const [launch, ...others] = await also.claim();
    assert.deepEqual(
      [launch?.requestId, launch?.slotNodeName, others.length],
      ['there', 'also', 0],
    );
    await runJob(world.channel, 'asked', 'here', { wantedNode: 'a' });
    assert.deepEqual(await askedFor(world, 'asked'), [['', 4]]);
    const skipped = await skipNext(world.channel, 'asked', 1);
    assert.deepEqual(skipped.map(({ nodeName }) => nodeName).sort(), ['', 'also']);
  });

  test('whether a node that is named is free is asked of its own slots', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [chosen, also] = [await world.join('a'), await world.join('also', beside)];
    await addJob(world.channel, definitionOf('asked', { schedule: '0 0 1 1 *', format: 3 }));
    const run = (id: string, wantedNode: string) =>
      runJob(world.channel, 'asked', id, { wantedNode, ignoresOverlap: true });
    await run('here', 'a');
    const [launch] = await chosen.claim();
    assert.ok(launch);
    await chosen.start(launch);
    await assert.rejects(run('here again', 'a'), { code: 'overlap' });
    assert.equal((await run('there', 'also')).isNew, true, 'the other slot is busy, not this one');
    const [own] = await also.claim();
    assert.ok(own);
    await also.start(own);
    await chosen.finish(launch);
    await assert.rejects(run('there again', 'also'), { code: 'overlap' });
  });

  test('a job that only nodes of level -1 may run has nobody to be chosen', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('also', beside);
    await addJob(world.channel, definitionOf('plain'));
    await addJob(world.channel, definitionOf('all', { kind: 'every-node', format: 3 }));
    assert.deepEqual((await findUnrunnableJobs(world.channel)).names, ['plain']);
    await world.join('a');
    assert.deepEqual((await findUnrunnableJobs(world.channel)).names, []);
  });

  test('it has slots of its own when every live node knows of such slots', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const old = await world.join('old');
    await world.rows("UPDATE session SET definition_format = 4 WHERE node_name = 'old'");
    const also = await world.join('also', beside);
    await addJob(world.channel, definitionOf('plain'));
    const names = async () =>
      (await world.rows('SELECT node_name FROM slot ORDER BY node_name')).map(
        (row) => row.node_name,
      );
    assert.deepEqual(await names(), ['']);
    assert.equal(await also.store.ensureNodeSlots(), true);
    assert.deepEqual(await also.claim(), []);
    await old.store.endSession(old.sessionId, 'test', null);
    assert.equal(await also.store.ensureNodeSlots(), false);
    assert.deepEqual(await names(), ['', 'also']);
  });
});
