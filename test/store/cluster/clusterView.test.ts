import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { readCluster } from '../../../src/store/cluster/clusterView.ts';
import { cordonNode, uncordonNode } from '../../../src/store/cluster/holdNode.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { showRun } from '../../../src/store/runs/showRun.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  test('ticks that wait for a node that is away are not called overdue', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['here', 'away']) await world.join(name);
    await addJob(world.channel, withLowestFormat(definitionOf('every', { kind: 'every-node' })));
    const made = await world.rows('SELECT node_name FROM slot ORDER BY node_name');
    assert.deepEqual(
      made.map((row) => row.node_name),
      ['away', 'here'],
    );
    await world.rows('UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE');
    const look = () => readCluster(world.channel, { endedWithinMs: 60_000, sessionsMax: 10 });
    assert.equal((await look()).overdue, 2);
    await world.rows(
      `UPDATE session SET state = 'ended', ended_at = NOW(3), ended_why = 'left'
       WHERE node_name = 'away'`,
    );
    assert.equal((await look()).overdue, 1);
    await world.rows("UPDATE slot SET next_run_at = NOW(3) WHERE node_name = 'here'");
    assert.deepEqual((await look()).warnings, []);
  });

  test('what waits for the session of a dead node is not for want of capacity', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['here', 'dead']) await world.join(name, { ttlMs: 45_000 });
    for (const node of ['here', 'dead']) {
      const fields = { target: { nodes: [node] } };
      await addJob(world.channel, withLowestFormat(definitionOf(`of ${node}`, fields)));
    }
    await world.rows('UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE');
    const look = () => readCluster(world.channel, { endedWithinMs: 60_000, sessionsMax: 10 });
    assert.equal((await look()).overdue, 2);
    await world.rows(`UPDATE session SET renewed_at = NOW(3) - INTERVAL 30 SECOND
      WHERE node_name = 'dead'`);
    const { overdue, warnings } = await look();
    assert.equal(overdue, 1);
    assert.match(warnings.join(), /dead has not renewed .* 30 s: .* its session is over, in 15 s/);
    assert.match(
      warnings.join(),
      /1 launch is late by 10 s: nobody took work .*, or they wait for what dead holds/,
    );
    await world.rows(`UPDATE slot JOIN job USING (job_id) SET next_run_at = NOW(3)
      WHERE job.name = 'of here'`);
    assert.doesNotMatch((await look()).warnings.join(), /too small/);
  });

  test('a run that is requested on a node that has left is said to wait for that', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['here', 'gone']) await world.join(name);
    await addJob(world.channel, definitionOf('big', { schedule: '@manual' }));
    await runJob(world.channel, 'big', 'r1', { wantedNode: 'gone' });
    await world.rows(`UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE`);
    const look = () => readCluster(world.channel, { endedWithinMs: 60_000, sessionsMax: 10 });
    assert.equal((await look()).overdue, 1);
    assert.equal((await showRun(world.channel, 'r1')).reason, 'it waits for its turn');
    await world.rows(
      `UPDATE session SET state = 'ended', ended_at = NOW(3), ended_why = 'left'
       WHERE node_name = 'gone'`,
    );
    const is = 'requested on gone alone, which is not live';
    const { overdue, warnings } = await look();
    assert.deepEqual([overdue, warnings], [0, [`a run is ${is}`]]);
    assert.equal((await showRun(world.channel, 'r1')).reason, `it is ${is}`);
    await runJob(world.channel, 'big', 'r2');
    await world.rows(`UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 MINUTE`);
    assert.equal((await look()).overdue, 1, 'another one of the job may be taken');
  });

  test('a cordon that keeps jobs from running is said with who made it, and why', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['web1', 'web2']) await world.join(name);
    const add = (name: string, nodes: string[]) =>
      addJob(world.channel, withLowestFormat(definitionOf(name, { target: { nodes } })));
    await add('backup', ['web1']);
    const look = async () => {
      const within = { endedWithinMs: 60_000, sessionsMax: 10 };
      return (await readCluster(world.channel, within)).jobWarnings;
    };
    assert.deepEqual(await look(), []);
    await cordonNode(world.channel, 'web1', 'disk swap');
    const said = /^web1 is cordoned by trial: disk swap; no other live node may run backup$/;
    await world.rows("UPDATE node_hold SET held_by = 'trial'");
    assert.match((await look()).join(), said);
    await uncordonNode(world.channel, 'web1');
    await cordonNode(world.channel, 'web2');
    await add('nowhere', ['web3']);
    const see = 'see where it may run, and the levels, labels and users of the nodes';
    assert.deepEqual(await look(), [`no live node may run nowhere: ${see}`]);
  });
});
