import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { TestNode } from '../../support/testNode.ts';
import { forEachStore } from './forEachStore.ts';

const yearly = { schedule: '0 0 1 1 *' };
const shop = { ...yearly, group: 'shop' };

async function claimOn(node: TestNode, stripes: readonly number[]): Promise<readonly Launch[]> {
  const ahead = { aheadMs: 3_000, aheadAnywhereMs: 3_000 };
  const verdict = await node.ask({
    kind: 'claim',
    share: wholeLine,
    dueStripes: stripes,
    slotsMax: 10,
    ...ahead,
  });
  return typeof verdict === 'object' && verdict.verdict === 'claimed' ? verdict.launches : [];
}

await forEachStore((makeWorld) => {
  test('of a group with a limit no more launches are held than that, on all nodes', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.limit('shop', 2);
    for (let job = 1; job <= 4; job += 1) await world.place(`job${job}`, shop);
    await world.place('elsewhere', { ...shop, group: 'other', target: { nodes: ['b'] } });
    const [first, second, ...others] = await a.claim();
    assert.ok(first && second);
    assert.equal(others.length, 0);
    const names = async () => (await b.claim()).map(({ definition }) => definition.name);
    assert.deepEqual(await names(), ['elsewhere']);
    await a.start(first);
    assert.deepEqual(await names(), [], 'what executes counts');
    await a.finish(first);
    assert.equal((await names()).length, 1);
    await world.limit('shop', null);
    assert.equal((await names()).length, 1);
  });

  test('a full group hides nothing from a look, and one with room is seen', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    await world.limit('shop', 1);
    for (let job = 1; job <= 3; job += 1) await world.place(`job${job}`, shop, -5_000);
    await world.place('plain', yearly);
    const horizon = { nodeName: 'a', share: wholeLine, aheadMs: 30_000, aheadAnywhereMs: 3_000 };
    assert.equal((await a.store.peekDue(horizon, 10)).slots, 4);
    const [launch] = await a.claim(1);
    assert.equal(launch?.definition.group, 'shop');
    const look = await a.store.peekDue(horizon, 10);
    assert.equal(look.slots, 1);
    const [plain] = await a.claim(1);
    assert.deepEqual([plain?.definition.name, look.stripes], ['plain', [plain?.stripe]]);
  });

  test('a job of a group with a limit is claimed only shortly before its tick', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    await world.limit('shop', 5);
    await world.place('later', shop, 20_000);
    await world.place('now', shop);
    const names = (await a.claim()).map(({ definition }) => definition.name);
    assert.deepEqual(names, ['now'], 'what waits so long takes nobody’s place');
    await world.limit('shop', null);
    assert.equal((await a.claim()).length, 1);
  });

  test('two nodes that claim at once do not both take the last place', async (t) => {
    const world = await makeWorld(t);
    const nodes = [await world.join('a'), await world.join('b'), await world.join('c')];
    await world.limit('shop', 1);
    for (let round = 0; round < 5; round += 1) {
      for (let job = 1; job <= 6; job += 1) await world.place(`job${round}-${job}`, shop);
      // Each its own stripes, so that nothing but the group's lock is between them.
      const stripesOf = (node: TestNode) =>
        allStripes.filter((stripe) => stripe % nodes.length === nodes.indexOf(node));
      const claims = await Promise.all(nodes.map((node) => claimOn(node, stripesOf(node))));
      const held = claims.flat().length;
      assert.ok(held <= 1, `${held} were claimed`);
      for (const [place, node] of nodes.entries()) {
        for (const launch of claims[place] ?? []) {
          await node.start(launch);
          await node.finish(launch);
        }
      }
      for (let job = 1; job <= 6; job += 1) await world.change('remove', `job${round}-${job}`);
    }
  });
});
