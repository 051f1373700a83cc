import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyDefaults } from '../../../src/domain/commit/historyKeep.ts';
import { forEachStore } from './forEachStore.ts';

await forEachStore((makeWorld) => {
  test('a look tells a node whose output is followed, its own and lately asked for', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    const other = await world.join('b');
    const [mine, late, others] = [
      `${node.sessionId}:1`,
      `${node.sessionId}:2`,
      `${other.sessionId}:1`,
    ];
    assert.deepEqual((await node.store.lookAtHeld()).followed, []);
    await world.followLive(mine, 0);
    await world.followLive(late, 11);
    await world.followLive(others, 1);
    assert.deepEqual((await node.store.lookAtHeld()).followed, [mine]);
    assert.deepEqual((await other.store.lookAtHeld()).followed, [others]);
    await world.followLive(late, 0);
    assert.deepEqual([...(await node.store.lookAtHeld()).followed].sort(), [mine, late]);
  });

  test('what is told is there to be read, for who has asked and nobody else', async (t) => {
    const world = await makeWorld(t);
    const { store } = await world.join('a');
    await world.followLive('s:1', 0);
    const tell = (launchId: string, text: string, outputBytes: number) =>
      store.writeLive([{ launchId, output: Buffer.from(text), outputBytes }]);
    assert.deepEqual(await world.live('s:1'), { text: null, outputBytes: 0 });
    await tell('s:1', 'one', 3);
    await tell('s:1', 'end', 7_000_000_000);
    await tell('s:2', 'unasked', 7);
    assert.deepEqual(await world.live('s:1'), { text: 'end', outputBytes: 7_000_000_000 });
    assert.equal(await world.live('s:2'), null);
    await world.followLive('s:1', 0);
    assert.equal((await world.live('s:1'))?.text, 'end', 'who asks again finds it');
  });

  test('cleaning leaves what is followed and takes what nobody asks for any more', async (t) => {
    const world = await makeWorld(t);
    const { store } = await world.join('a');
    await world.followLive('s:1', 20);
    await world.followLive('s:2', 90);
    while ((await store.cleanHistory(historyDefaults)).isMore);
    assert.notEqual(await world.live('s:1'), null);
    assert.equal(await world.live('s:2'), null);
  });
});
