import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noShare, type Share } from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { TestNode } from '../../support/testNode.ts';
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

  test('of given ids a look lists those that it would list among all', async (t) => {
    const world = await makeWorld(t);
    const [one, two, three] = [await world.join('a'), await world.join('b'), await world.join('c')];
    await one.store.endSession(three.sessionId, 'test', null);
    await one.store.markReaped(three.sessionId);
    const ids = [two.sessionId, three.sessionId, 'nobody'];
    const { databaseNowMs, sessions } = await one.store.listSessions(ids);
    assert.deepEqual(
      sessions.map(({ nodeName }) => nodeName),
      ['b'],
    );
    assert.ok(databaseNowMs !== null);
    assert.equal((await one.store.listSessions(['nobody'])).databaseNowMs, null);
  });

  test('the version of the sessions moves with all that others need to know of them', async (t) => {
    const world = await makeWorld(t);
    const { store } = await world.join('a');
    const other = await world.join('b');
    const version = async () => (await store.listSessions()).sessionsVersion;
    let last = await version();
    const moves = async (what: string, isMoved: boolean, work: () => Promise<unknown>) => {
      await work();
      const now = await version();
      assert.equal(now !== last, isMoved, what);
      last = now;
    };
    await moves('a renewal', false, () => other.store.renewSession(0, 1));
    await moves('a node that joins', true, () => world.join('c'));
    await moves('a node that is cordoned', true, () => world.holdNode('cordon', 'b'));
    await moves('a node that is uncordoned', true, () => world.holdNode('uncordon', 'b'));
    await moves('a node that is about to leave', true, () => other.store.markDraining());
    await moves('a node that ends', true, () => store.endSession(other.sessionId, 'test', null));
    await moves('an end that is refused', false, () =>
      store.endSession(other.sessionId, 'test', null),
    );
    await moves('somebody who says so', true, () => store.bumpSessionsVersion());
  });

  test('a look sees what is due on its own stripes far ahead, and elsewhere soon', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('soon', { dueInMs: 1_000 });
    await world.addJob('later', { dueInMs: 20_000 });
    const { store } = await world.join('a');
    const look = (share: Share, slotsMax = 10) =>
      store.peekDue({ nodeName: 'a', share, aheadMs: 30_000, aheadAnywhereMs: 3_000 }, slotsMax);
    assert.deepEqual(await look(stripesFrom(1, 3)), { stripes: [1, 2], slots: 2 });
    assert.deepEqual(await look(noShare), { stripes: [1], slots: 1 });
    assert.deepEqual(await look(stripesFrom(2, 3), 1), { stripes: [1], slots: 1 });
  });

  test('of a stripe that two nodes share each looks and claims far ahead its part', async (t) => {
    const world = await makeWorld(t);
    for (let job = 1; job <= 5; job += 1) {
      await world.addJob(`job${job}`, { schedule: '0 0 1 1 *', dueInMs: 20_000 });
    }
    const [a, b] = [await world.join('a'), await world.join('b')];
    const claimed = new Map<TestNode, number[]>();
    // Of these slots 1 to 5 the places are the first of their stripes.
    for (const [node, share] of [
      [a, { from: 2 * 64 + 1, until: 4 * 64 }],
      [b, { from: 4 * 64, until: 4 * 64 + 1 }],
    ] as const) {
      const horizon = { nodeName: 'a', share, aheadMs: 30_000, aheadAnywhereMs: 3_000 };
      const look = await node.store.peekDue(horizon, 10);
      const request = { kind: 'claim', ...horizon, dueStripes: allStripes, slotsMax: 10 } as const;
      const verdict = await node.ask(request);
      assert.ok(typeof verdict === 'object' && verdict.verdict === 'claimed');
      assert.equal(look.slots, verdict.launches.length);
      claimed.set(node, verdict.launches.map(({ stripe }) => stripe).sort());
    }
    assert.deepEqual([claimed.get(a), claimed.get(b)], [[3], [4]]);
  });
});

/** The whole stripes from one up to, and without, another. */
function stripesFrom(first: number, end: number): Share {
  return { from: first * 64, until: end * 64 };
}
