import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachStore, verdictWord } from './forEachStore.ts';

await forEachStore((makeWorld) => {
  test('a pause takes a prepared launch back, and a start after it is refused', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(await world.change('pause', 'plain'), 2);
    assert.equal(await world.change('pause', 'plain'), 2, 'asked twice it is one pause');
    assert.equal(await verdictWord(node.start(launch)), 'refused');
    const slot = await world.slot('plain');
    assert.deepEqual([slot.state, slot.cursorMs, slot.nextRunMs], ['idle', null, null]);
    const run = (await world.runs('plain')).find(({ launchId }) => launchId !== null);
    assert.equal(run?.result, 'skipped');
    assert.equal(run?.launchId, launch.launchId);
    assert.equal(run?.revision, 1);
    assert.deepEqual(await node.claim(), []);
    assert.equal(await world.change('resume', 'plain'), 3);
    const { cursorMs } = await world.slot('plain');
    assert.ok(cursorMs !== null && cursorMs > launch.scheduledForMs);
  });

  test('an edit keeps the tick of a prepared launch under the new revision', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(await world.change('edit', 'plain', '*/2 * * * * *'), 2);
    assert.equal(await verdictWord(node.start(launch)), 'refused');
    const [again] = await node.claim();
    assert.equal(again?.revision, 2);
    assert.ok(again !== undefined && again.scheduledForMs >= launch.scheduledForMs);
  });

  test('what executes keeps its revision over an edit', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    await world.change('edit', 'plain', '0 0 1 1 *');
    await node.finish(launch);
    const run = (await world.runs('plain')).find(({ launchId }) => launchId !== null);
    assert.equal(run?.revision, 1);
    assert.equal(run?.result, 'succeeded');
  });

  test('a removal ends what is prepared and what was asked for', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain', { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
    await world.run('plain', 'request-1');
    const node = await world.join('a');
    await world.change('remove', 'plain');
    assert.deepEqual(await node.claim(), []);
    const [run] = await world.runs('plain');
    assert.deepEqual([run?.result, run?.requestId], ['skipped', 'request-1']);
    assert.deepEqual(await world.pending('plain'), []);
  });

  test('a run asked for now passes a launch that is prepared for later', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('later', { schedule: '0 0 * * *', dueInMs: 20_000 });
    const node = await world.join('a');
    const [prepared] = await node.claim();
    assert.ok(prepared);
    await world.run('later', 'request-1');
    const [manual] = await node.claim();
    assert.equal(manual?.trigger, 'manual');
    assert.notEqual(manual?.launchId, prepared.launchId);
    const refusal = { verdict: 'refused', reason: 'the launch was taken back' };
    assert.deepEqual(await node.start(prepared), refusal);
    assert.ok(manual);
    await node.start(manual);
    await node.finish(manual);
    const [again] = await node.claim();
    assert.equal(again?.scheduledForMs, prepared.scheduledForMs, 'its tick is claimed again');
    assert.equal((await world.runs('later')).length, 1);
  });

  test('a run asked for now leaves a launch alone whose tick is almost there', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('soon', { schedule: '0 0 * * *', dueInMs: 0 });
    const node = await world.join('a');
    const [prepared] = await node.claim();
    assert.ok(prepared);
    await world.run('soon', 'request-1');
    assert.deepEqual(await node.start(prepared), { verdict: 'done' });
    await node.finish(prepared);
    assert.equal((await node.claim())[0]?.trigger, 'manual');
  });

  test('a run asked for while another goes on comes before the next tick', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('busy', { schedule: '*/20 * * * *', dueInMs: -3_600_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    // The tick after it falls into the run, before the request: the cursor is overdue.
    await world.age('busy', 2_400);
    await world.run('busy', 'request-1');
    await node.finish(launch);
    const claimed = await node.claim();
    assert.deepEqual(
      claimed.map(({ trigger, requestId }) => [trigger, requestId]),
      [['manual', 'request-1']],
    );
  });

  test('a stop withdraws what is prepared and asks the node of what executes', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('one');
    const node = await world.join('a');
    const [prepared] = await node.claim();
    assert.ok(prepared);
    assert.equal(await world.stop(prepared.launchId), 'withdrawn');
    assert.equal(await verdictWord(node.start(prepared)), 'refused');
    const run = (await world.runs('one')).find(({ launchId }) => launchId !== null);
    assert.equal(run?.result, 'stopped');
    await world.addJob('two');
    const executing = (await node.claim()).find(({ definition }) => definition.name === 'two');
    assert.ok(executing);
    await node.start(executing);
    assert.equal(await world.stop(executing.launchId), 'asked');
    const held = (await node.store.lookAtHeld()).own;
    const found = held.find(({ launchId }) => launchId === executing.launchId);
    assert.equal(found?.stopRequested, true);
  });
});
