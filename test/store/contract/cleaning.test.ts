import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyDefaults, nothingToClean } from '../../../src/domain/commit/historyKeep.ts';
import type { TestNode } from '../../support/testNode.ts';
import type { ContractWorld } from './contractWorld.ts';
import { forEachStore } from './forEachStore.ts';

const hour = 3_600;
const keeping = (changes: Partial<typeof historyDefaults>) => ({ ...historyDefaults, ...changes });

/** Makes a job run so often, one launch after the other. */
async function live(world: ContractWorld, node: TestNode, name: string, runs: number) {
  await world.addJob(name, { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
  for (let at = 1; at <= runs; at += 1) {
    assert.equal(await world.run(name, `${name}-${at}`), true);
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    await node.finish(launch);
  }
}

/** One whole pass; resolves to how many rows went. */
async function clean({ store }: TestNode, keep = historyDefaults): Promise<number> {
  let rows = 0;
  for (;;) {
    const step = await store.cleanHistory(keep);
    rows += step.rows;
    if (!step.isMore) return rows;
  }
}

const requestsOf = async (world: ContractWorld, name: string) =>
  (await world.runs(name)).map(({ requestId }) => requestId);

await forEachStore((makeWorld) => {
  test('beyond their number the oldest go; the history begins behind them', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await live(world, node, 'plain', 5);
    await live(world, node, 'other', 2);
    await world.ageHistory(hour);
    const before = await world.runs('plain');
    assert.equal(await clean(node, keeping({ runs: 2 })), 3);
    assert.deepEqual(await requestsOf(world, 'plain'), ['plain-4', 'plain-5']);
    assert.deepEqual(await requestsOf(world, 'other'), ['other-1', 'other-2']);
    assert.equal(await world.historyFrom('plain'), (before[2]?.scheduledForMs ?? 0) + 1);
    assert.equal(await world.historyFrom('other'), null);
  });

  test('rows that are young enough stay; a pass is over for a while, whoever asks', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await live(world, node, 'plain', 3);
    await world.ageHistory(2 * 24 * hour);
    assert.equal(await clean(node, keeping({ days: 3 })), 0);
    assert.equal(await clean(await world.join('b'), keeping({ days: 1 })), 0, 'none is due');
    assert.equal((await world.runs('plain')).length, 3);
  });

  test('what has just ended stays, whatever is kept', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await live(world, node, 'plain', 3);
    await world.ageHistory(500);
    assert.equal(await clean(node, keeping({ runs: 1 })), 0);
    assert.equal((await world.runs('plain')).length, 3);
  });

  test('the last row of a job and its last that ran stay however old they are', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await live(world, node, 'plain', 3);
    assert.equal(await world.run('plain', 'skipped-1'), true);
    await world.change('pause', 'plain');
    await world.change('resume', 'plain');
    assert.equal(await world.run('plain', 'skipped-2'), true);
    await world.change('pause', 'plain');
    await world.ageHistory(1_000 * 24 * hour);
    assert.equal(await clean(node), 3);
    assert.deepEqual(await requestsOf(world, 'plain'), ['plain-3', 'skipped-2']);
  });

  test('an attempt stays while its tick goes on', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    await world.addJob('plain', { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
    await world.run('plain', 'request');
    const start = async () => {
      const [launch] = await node.claim();
      assert.ok(launch);
      await node.start(launch);
      return launch;
    };
    for (const _ of [1, 2]) {
      // Its start is not known to be acknowledged: the request waits again.
      const { slotId, stripe, launchId } = await start();
      await node.ask({ kind: 'reset', why: 'own', slotId, stripe, launchId });
    }
    assert.deepEqual(
      (await world.runs('plain')).map(({ isFinal }) => isFinal),
      [false, false],
    );
    await world.ageHistory(100 * 24 * hour);
    assert.equal(await clean(node), 0, 'one is the last row, both go on');
  });

  test('one session cleans at a time', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    const other = await world.join('b');
    await live(world, node, 'plain', 4);
    await world.ageHistory(hour);
    const first = await node.store.cleanHistory(keeping({ runs: 2 }));
    assert.equal(first.isMore, true);
    assert.deepEqual(await other.store.cleanHistory(keeping({ runs: 1 })), nothingToClean);
    await clean(node, keeping({ runs: 2 }));
    assert.deepEqual(await other.store.cleanHistory(keeping({ runs: 1 })), nothingToClean);
    assert.equal((await world.runs('plain')).length, 2);
  });
});
