import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { TestNode } from '../../support/testNode.ts';
import { forEachStore, verdictWord } from './forEachStore.ts';

const beside = { facts: { level: -1 } };

/** Job, name of the slot and tick of each launch that the node claims, sorted. */
async function claimed(node: TestNode): Promise<[string, string, number][]> {
  const tell = ({ definition, slotNodeName, scheduledForMs }: Launch) =>
    [definition.name, slotNodeName, scheduledForMs] as [string, string, number];
  return (await node.claim()).map(tell).sort();
}

await forEachStore((makeWorld) => {
  test('a node of level -1 runs each tick itself, and another one is chosen for it', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    const also = await world.join('also', beside);
    const yearly = { schedule: '0 0 1 1 *' };
    await world.place('plain', yearly);
    await world.place('wide', { ...yearly, parallel: 2 });
    await world.place('elsewhere', { ...yearly, target: { nodes: ['a', 'b'] } });
    assert.deepEqual(await world.nodeSlots('plain'), [' idle', 'also idle']);
    assert.equal((await world.nodeSlots('wide')).length, 4);
    assert.deepEqual(await world.nodeSlots('elsewhere'), [' idle'], 'it may not run there');
    const own = await claimed(also);
    assert.deepEqual(
      own.map(([name, slot]) => `${name} ${slot}`),
      ['plain also', 'wide also'],
    );
    const chosen = await claimed(a);
    assert.deepEqual(
      chosen.map(([name, slot]) => `${name} ${slot}`),
      ['elsewhere ', 'plain ', 'wide '],
    );
    const tickOf = new Map(chosen.map(([name, , tickMs]) => [name, tickMs]));
    for (const [name, , tickMs] of own) assert.equal(tickMs, tickOf.get(name), name);
    assert.deepEqual(await claimed(b), [], 'one is chosen');
  });

  test('where only nodes of level -1 are live none is chosen', async (t) => {
    const world = await makeWorld(t);
    const also = await world.join('also', beside);
    await world.place('plain', {});
    assert.deepEqual(
      (await claimed(also)).map(([, slot]) => slot),
      ['also'],
    );
    assert.equal((await world.nodeSlots('plain'))[0], ' idle');
  });

  test('it owes the ticks from when it joined until it comes back at another level', async (t) => {
    const world = await makeWorld(t);
    await world.place('plain', {}, -60_000);
    const joinedMs = Date.now();
    const also = await world.join('also', beside);
    assert.equal(await also.store.ensureNodeSlots(), false, 'there was something to do');
    assert.equal(await also.store.ensureNodeSlots(), true);
    assert.deepEqual(await world.nodeSlots('plain'), [' idle', 'also idle']);
    const [launch] = await also.claim();
    assert.ok(launch !== undefined && launch.scheduledForMs >= joinedMs - 1_000);
    await also.ask({ kind: 'reset', why: 'draining', ...launch });
    await also.store.endSession(also.sessionId, 'test', null);

    const back = await world.join('also', { facts: { level: 1 } });
    const slots = (await claimed(back)).map(([, slot]) => slot);
    assert.deepEqual(slots, [''], 'what it was is not what it is');
    assert.equal(await back.store.ensureNodeSlots(), false);
    assert.deepEqual(await world.nodeSlots('plain'), [' prepare']);
    assert.equal(await back.store.ensureNodeSlots(), true);
    const { scheduledForMs } = launch;
    const told = (await world.runs('plain')).filter(
      (run) => run.scheduledForMs <= scheduledForMs && run.result === 'missed',
    );
    assert.ok(told.length > 0, 'the tick that it gave back is accounted for');
  });

  test('a run that is asked for is the one of whom the cluster chooses', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    const also = await world.join('also', beside);
    await world.place('asked', { schedule: '0 0 1 1 *' }, 3_600_000);
    assert.equal(await world.run('asked', 'mine'), true);
    assert.deepEqual(await world.pending('asked'), ['mine']);
    assert.deepEqual(await claimed(also), []);
    assert.equal((await a.claim())[0]?.requestId, 'mine');
  });

  test('its slots are taken from it as those of every-node jobs are', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    const also = await world.join('also', beside);
    await world.place('plain', {});
    const [launch] = await also.claim();
    assert.ok(launch);
    await also.start(launch);
    await also.store.endSession(also.sessionId, 'test', null);
    assert.equal(await world.forget('also'), 'node_not_reaped');
    await a.ask({ kind: 'reap', sessionId: also.sessionId, stripes: allStripes });
    assert.equal(await verdictWord(also.finish(launch)), 'refused');
    assert.deepEqual(await world.nodeSlots('plain'), [' idle', 'also idle']);
    assert.equal(await world.forget('also'), 1);
    assert.deepEqual(await world.nodeSlots('plain'), [' idle']);
  });

  test('an edit gives it slots of a job that may come to it, and takes them away', async (t) => {
    const world = await makeWorld(t);
    await world.join('also', beside);
    await world.place('plain', { target: { nodes: ['a'] } });
    assert.deepEqual(await world.nodeSlots('plain'), [' idle']);
    await world.editFields('plain', { target: { nodes: ['a', 'also'] } });
    assert.deepEqual(await world.nodeSlots('plain'), [' idle', 'also idle']);
    await world.editFields('plain', { kind: 'every-node' });
    assert.deepEqual(await world.nodeSlots('plain'), ['also idle']);
    await world.editFields('plain', { kind: undefined } as never);
    assert.deepEqual(await world.nodeSlots('plain'), [' idle', 'also idle']);
    await world.editFields('plain', { target: { excludeNodes: ['also'] } });
    assert.deepEqual(await world.nodeSlots('plain'), [' idle']);
  });
});
