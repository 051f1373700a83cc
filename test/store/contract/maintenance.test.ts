import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import type { ContractWorld } from './contractWorld.ts';
import { forEachStore } from './forEachStore.ts';

/** No tick of the schedule comes in between. */
const laterMs = 86_400_000;
let asked = 0;

/** Runs a job once to its end, and resolves to the launch. */
async function runOnce(world: ContractWorld, node: TestNode, name: string, isGood = true) {
  asked += 1;
  await world.run(name, `ask-${asked}`);
  const launch = (await node.claim()).find((each) => each.requestId === `ask-${asked}`);
  assert.ok(launch, `${name} is not claimed`);
  await node.start(launch);
  await node.finish(launch, isGood ? {} : { result: 'failed', exitCode: 1 });
  return launch;
}

const follows = (job: string, on: 'success' | 'failure' | 'end') => ({
  schedule: '@manual',
  after: [{ job, on }],
});

await forEachStore((makeWorld) => {
  test('an end starts each job that follows on it, once, whoever looks', async (t) => {
    const world = await makeWorld(t);
    await world.place('first', { schedule: '@manual' }, laterMs);
    await world.place('good', follows('first', 'success'), laterMs);
    await world.place('bad', follows('first', 'failure'), laterMs);
    await world.place('any', follows('first', 'end'), laterMs);
    const [a, b] = [await world.join('a'), await world.join('b')];
    const launch = await runOnce(world, a, 'first');
    const done = await Promise.all([a.store.runMaintenance(), b.store.runMaintenance()]);
    assert.equal(done[0] + done[1], 2);
    const started = await a.claim();
    assert.deepEqual(started.map(({ definition }) => definition.name).sort(), ['any', 'good']);
    for (const each of started) {
      assert.deepEqual(
        [each.trigger, each.requestId, each.attempt],
        ['chain', `chain:${launch.launchId}`, 1],
      );
      await a.start(each);
      await a.finish(each);
    }
    assert.equal(await b.store.runMaintenance(), 0);
    await runOnce(world, b, 'first', false);
    assert.equal(await b.store.runMaintenance(), 2);
    const again = await b.claim();
    assert.deepEqual(again.map(({ definition }) => definition.name).sort(), ['any', 'bad']);
  });

  test('one start waits at most, and a paused follower is not started', async (t) => {
    const world = await makeWorld(t);
    await world.place('first', { schedule: '@manual' }, laterMs);
    await world.place('second', follows('first', 'end'), laterMs);
    const node = await world.join('a');
    for (let run = 0; run < 3; run += 1) await runOnce(world, node, 'first');
    assert.equal(await node.store.runMaintenance(), 1);
    assert.equal((await world.pending('second')).length, 1);
    const reasons = (await world.runs('second')).map(({ result }) => result);
    assert.deepEqual(reasons, ['skipped', 'skipped']);
    await world.change('pause', 'second');
    await runOnce(world, node, 'first');
    assert.equal(await node.store.runMaintenance(), 0);
    assert.deepEqual(await world.pending('second'), []);
    assert.equal((await world.runs('second')).length, 4);
  });

  test('a pause with an end is ended by a node, and a plain one is not', async (t) => {
    const world = await makeWorld(t);
    await world.place('job', { schedule: '0 0 1 1 *' }, laterMs);
    const node = await world.join('a');
    await world.pauseFor('job', 3_600_000);
    assert.equal(await node.store.runMaintenance(), 0);
    await world.pauseFor('job', 1);
    assert.equal((await world.slot('job')).cursorMs, null);
    await until('it is ended', async () => (await node.store.runMaintenance()) === 1);
    assert.notEqual((await world.slot('job')).cursorMs, null);
    await world.pauseFor('job', 1);
    await world.change('pause', 'job');
    await node.store.runMaintenance();
    assert.equal((await world.slot('job')).cursorMs, null);
  });

  test('nothing is started under a stripe that is held, nor lost', async (t) => {
    const world = await makeWorld(t);
    await world.place('first', { schedule: '@manual' }, laterMs);
    await world.place('second', follows('first', 'end'), laterMs);
    const node = await world.join('a');
    await runOnce(world, node, 'first');
    const free = await world.hold([2]);
    assert.equal(await node.store.runMaintenance(), 0);
    await free();
    assert.equal(await node.store.runMaintenance(), 1);
  });
});
