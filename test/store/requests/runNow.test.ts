import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

await forEachEngine((engine) => {
  test('a run asked for now passes a launch that is prepared for later', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('later', { schedule: '0 0 * * *', dueInMs: 20_000 });
    const node = await world.join('a');
    const [prepared] = await node.claim();
    assert.ok(prepared);
    await runJob(world.channel, 'later', 'request-1');
    const [manual] = await node.claim();
    assert.equal(manual?.trigger, 'manual');
    assert.notEqual(manual?.launchId, prepared.launchId);
    assert.deepEqual(await node.start(prepared), {
      verdict: 'refused',
      reason: 'the launch was taken back',
    });
    assert.ok(manual);
    await node.start(manual);
    await node.finish(manual);
    const [again] = await node.claim();
    assert.equal(again?.scheduledForMs, prepared.scheduledForMs, 'its tick is claimed again');
    assert.equal((await world.rows('SELECT * FROM run')).length, 1);
  });

  test('a run asked for now leaves a launch alone whose tick is almost there', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('soon', { schedule: '0 0 * * *', dueInMs: 0 });
    const node = await world.join('a');
    const [prepared] = await node.claim();
    assert.ok(prepared);
    await runJob(world.channel, 'soon', 'request-1');
    assert.deepEqual(await node.start(prepared), { verdict: 'done' });
    await node.finish(prepared);
    assert.equal((await node.claim())[0]?.trigger, 'manual');
  });
});
