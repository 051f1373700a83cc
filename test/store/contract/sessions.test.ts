import assert from 'node:assert/strict';
import { test } from 'node:test';
import { introduce } from '../../support/testNode.ts';
import { forEachStore } from './forEachStore.ts';

await forEachStore((makeWorld) => {
  test('a second live node of one name is refused, and told of the first', async (t) => {
    const world = await makeWorld(t);
    const first = await world.join('a');
    const other = await world.join('b');
    const again = introduce(other.sessionId, 'a', 45_000);
    const refused = await other.store.joinSession(again);
    assert.deepEqual(refused, { outcome: 'refused', reason: first.sessionId });
    const twice = await first.store.joinSession(introduce(first.sessionId, 'a', 45_000));
    assert.equal(twice.outcome, 'committed', 'its own session is no rival');
  });

  test('a renewal follows the beats before it, and an ended session has none', async (t) => {
    const world = await makeWorld(t);
    const { sessionId, store } = await world.join('a');
    assert.equal((await store.renewSession(0, 1)).outcome, 'committed');
    assert.equal((await store.renewSession(1, 3)).outcome, 'committed', 'one was not answered');
    assert.equal((await store.renewSession(1, 2)).outcome, 'refused', 'it comes too late');
    await store.endSession(sessionId, 'test', null);
    assert.equal((await store.renewSession(3, 4)).outcome, 'refused');
  });

  test('a session that has renewed since is not ended for standing still', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    const other = await world.join('b');
    await node.store.renewSession(0, 1);
    const { sessionId } = node;
    assert.equal((await other.store.endSession(sessionId, 'test', 0)).outcome, 'refused');
    assert.equal((await other.store.endSession(sessionId, 'test', 1)).outcome, 'committed');
    assert.equal((await other.store.endSession(sessionId, 'test', 1)).outcome, 'refused');
  });

  test('an ended session is listed until it is reaped', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    const other = await world.join('b');
    const lives = async () => {
      const { sessions, databaseNowMs } = await other.store.listSessions();
      assert.ok(databaseNowMs !== null);
      return sessions.find(({ sessionId }) => sessionId === node.sessionId)?.isLive;
    };
    assert.equal(await lives(), true);
    await other.store.markReaped(node.sessionId);
    assert.equal(await lives(), true, 'a live one is never reaped');
    await other.store.endSession(node.sessionId, 'test', null);
    assert.equal(await lives(), false);
    await other.store.markReaped(node.sessionId);
    assert.equal(await lives(), undefined);
  });

  test('a look sees what is due on its own stripes far ahead, and elsewhere soon', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('soon', { dueInMs: 1_000 });
    await world.addJob('later', { dueInMs: 20_000 });
    const { store } = await world.join('a');
    const look = (stripes: number[], slotsMax = 10) =>
      store.peekDue({ nodeName: 'a', stripes, aheadMs: 30_000, aheadAnywhereMs: 3_000 }, slotsMax);
    assert.deepEqual(await look([1, 2]), { stripes: [1, 2], slots: 2 });
    assert.deepEqual(await look([]), { stripes: [1], slots: 1 });
    assert.deepEqual(await look([2], 1), { stripes: [1], slots: 1 });
  });
});
