import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestNode } from '../../support/testNode.ts';
import { forEachStore, verdictWord } from './forEachStore.ts';

const level = (number: number) => ({ facts: { level: number } });
const yearly = { schedule: '0 0 1 1 *' };

async function claimed(node: TestNode): Promise<string[]> {
  return (await node.claim()).map(({ definition }) => definition.name).sort();
}

await forEachStore((makeWorld) => {
  test('a cordoned node takes nothing new, also after a restart, until it is undone', async (t) => {
    const world = await makeWorld(t);
    const first = await world.join('first', level(1));
    const second = await world.join('second', level(2));
    await world.place('running', {});
    const [launch] = await first.claim();
    assert.ok(launch);
    await world.holdNode('cordon', 'first');
    await world.place('later', {});
    assert.deepEqual(await claimed(first), []);
    assert.equal(await verdictWord(first.start(launch)), 'done', 'what it has claimed goes on');
    assert.deepEqual(await claimed(second), ['later'], 'its level holds nobody back');
    assert.equal(await verdictWord(first.finish(launch)), 'done');

    await first.store.endSession(first.sessionId, 'test', null);
    const again = await world.join('first', level(1));
    await world.place('third', {});
    assert.deepEqual(await claimed(again), []);
    assert.equal((await again.store.listSessions()).sessions.find(isFirst)?.isCordoned, true);
    await world.holdNode('uncordon', 'first');
    assert.deepEqual(await claimed(second), [], 'the first is back');
    assert.ok((await claimed(again)).includes('third'));
  });

  test('a drained node gives back what it has prepared, and ends what it executes', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.place('prepared', yearly);
    await world.place('executing', {});
    const launches = await a.claim();
    const of = (name: string) => {
      const launch = launches.find(({ definition }) => definition.name === name);
      assert.ok(launch);
      return launch;
    };
    await a.start(of('executing'));
    assert.equal(await world.holdNode('drain', 'a'), 1);
    assert.equal(await verdictWord(a.start(of('prepared'))), 'refused');
    assert.deepEqual(await claimed(a), []);
    const [again] = await b.claim();
    assert.equal(
      again?.scheduledForMs,
      of('prepared').scheduledForMs,
      'its tick is the next again',
    );
    assert.equal(await verdictWord(a.finish(of('executing'))), 'done');
    assert.equal(await world.holdNode('drain', 'a'), 0, 'a repeat finds nothing more');
  });

  test('a node that leaves is not taken for one that is back', async (t) => {
    const world = await makeWorld(t);
    const first = await world.join('first', level(1));
    const second = await world.join('second', level(2));
    await world.holdNode('cordon', 'first');
    await first.store.markDraining();
    await world.holdNode('uncordon', 'first');
    await world.place('job', {});
    assert.deepEqual(await claimed(first), []);
    assert.deepEqual(await claimed(second), ['job']);
  });

  test('a cordoned node keeps its slots of every-node jobs, and gets new ones', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await world.holdNode('cordon', 'a');
    await world.place('everywhere', { kind: 'every-node' });
    while (!(await node.store.ensureNodeSlots()));
    assert.deepEqual(await world.nodeSlots('everywhere'), ['a idle']);
    assert.deepEqual(await claimed(node), []);
    await world.holdNode('uncordon', 'a');
    assert.deepEqual(await claimed(node), ['everywhere']);
  });
});

const isFirst = ({ nodeName, isLive }: { nodeName: string; isLive: boolean }) =>
  nodeName === 'first' && isLive;
