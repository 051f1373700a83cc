import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { allStripes } from '../../src/domain/run/stripes.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { stopRun } from '../../src/store/requests/stopRun.ts';
import { until } from '../support/until.ts';
import { watchStalls } from '../support/watchStalls.ts';
import { lateRuns, makeActorWorld, moreLooks } from './actorWorld.ts';
import { holdStripes } from './holdStripes.ts';

describe('what others ask of a node', { concurrency: true }, () => {
  test('a stop reaches a run that executes on another node', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    await world.addOnce('other', 2);
    world.node('a');
    await until('both execute', () => world.ledger.running().length === 2);
    const [entry] = world.ledger.of('job');
    const launchId = entry?.launch.launchId ?? '';
    assert.equal(await stopRun(world.channel, launchId), 'asked');
    const [run] = await until('the run row', async () => {
      const rows = await world.runs('job');
      return rows.length > 0 && rows;
    });
    assert.equal(run?.result, 'stopped');
    assert.equal(run?.launch_id, launchId);
    assert.equal(world.ledger.running().length, 1, 'the other run goes on');
    assert.equal(await stopRun(world.channel, launchId), 'ended');
  });

  test('a run asked for now does not wait for a tick that is far away', async (t) => {
    const world = await makeActorWorld(t);
    await world.add('yearly', '0 0 1 1 *');
    const node = world.node('a');
    await moreLooks(node, 1);
    const requestId = randomUUID();
    await runJob(world.channel, 'yearly', requestId);
    await runJob(world.channel, 'yearly', requestId);
    const [began, looksBefore] = [performance.now(), node.looks()];
    await until('the run', async () => (await world.runs()).length > 0);
    const looks = node.looks() - looksBefore;
    t.diagnostic(`from the request to its run row: ${Math.round(performance.now() - began)} ms`);
    // What is held is looked at every two seconds, and stands still when the machine does.
    assert.ok(looks <= 2, `after ${looks} looks: a look once a second, and then at once`);
    await moreLooks(node, 2);
    const runs = await world.runs();
    assert.deepEqual(
      runs.map((run) => [run.triggered_by, run.request_id, run.result]),
      [['manual', requestId, 'succeeded']],
    );
    await world.requireSound();
  });

  test('a run asked for while the job executes runs after it, once', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    const node = world.node('a');
    const first = await until('it executes', () => world.ledger.entries[0]);
    await runJob(world.channel, 'job', randomUUID());
    await moreLooks(node, 2);
    assert.equal(world.ledger.entries.length, 1);
    first.end();
    const second = await until('the second', () => world.ledger.entries[1]);
    second.end();
    await until('both rows', async () => (await world.runs()).length === 2);
    assert.deepEqual(
      (await world.runs()).map((run) => run.triggered_by),
      ['schedule', 'manual'],
    );
    await world.requireSound();
  });
});

describe('a holder of locks somewhere else', { concurrency: true }, () => {
  test('all stripes held for three seconds lose nothing and cost no node its life', async (t) => {
    const world = await makeActorWorld(t);
    for (const number of [1, 2, 3, 4, 5, 6]) await world.add(`job${number}`, '* * * * * *');
    const nodes = ['a', 'b'].map((name) => world.node(name, { ttlMs: 10_000 }));
    await until('some runs', () => world.ledger.entries.length >= 12);
    const release = await holdStripes(world, allStripes);
    const before = world.ledger.entries.length;
    const [began] = await world.rows('SELECT NOW(3) AS at');
    await until('three seconds', async () => {
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      return clock?.at.getTime() - began?.at.getTime() > 3_000;
    });
    // What had its COMMIT under way when the locks were taken may have begun since.
    assert.ok(world.ledger.entries.length <= before + 6);
    await release();
    await until('runs after it', () => world.ledger.entries.length >= before + 24);
    assert.deepEqual(
      nodes.map((node) => node.ending()),
      [null, null],
    );
    await world.requireSound();
  });

  test('one stripe held delays no job of another', async (t) => {
    const world = await makeActorWorld(t);
    for (const number of [1, 2, 3, 4, 5, 6]) await world.addOnce(`job${number}`, 20);
    const node = world.node('a');
    await until('the claims', () => node.adopted.length === 6);
    const held = node.adopted[0]?.stripe as number;
    const release = await holdStripes(world, [held]);
    const stalledMs = watchStalls(world);
    await until('the others ran', async () => (await world.runs()).length === 5);
    assert.deepEqual(await lateRuns(world, stalledMs), []);
    assert.equal(world.ledger.entries.length, 5);
    await release();
    await until('the last one ran', async () => (await world.runs()).length === 6);
    await world.requireSound();
  });
});
