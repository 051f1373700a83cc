import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { introduce } from '../../support/testNode.ts';
import { within } from '../../support/until.ts';

await forEachEngine((engine) => {
  test('a renewal follows the beats before it, and an ended session has none', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { sessionId, store } = await world.join('a');
    assert.equal((await store.renewSession(0, 1)).outcome, 'committed');
    assert.equal((await store.renewSession(1, 3)).outcome, 'committed', 'one was not answered');
    assert.equal((await store.renewSession(1, 2)).outcome, 'refused', 'it comes too late');
    // The database was restored from the past: it knows fewer beats than were acknowledged.
    await world.rows('UPDATE session SET beats = 1');
    assert.equal((await store.renewSession(3, 4)).outcome, 'refused');
    await world.rows('UPDATE session SET beats = 3');
    await store.endSession(sessionId, 'test', null);
    assert.equal((await store.renewSession(3, 4)).outcome, 'refused');
  });

  test('a reaper that paused between look and write ends nothing that beats', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [slow, reaper] = [await world.join('slow'), await world.join('reaper')];
    const { sessions } = await reaper.store.listSessions();
    const seen = sessions.find(({ sessionId }) => sessionId === slow.sessionId);
    assert.equal((await slow.store.renewSession(0, 1)).outcome, 'committed');
    const ended = await reaper.store.endSession(slow.sessionId, 'test', seen?.beats ?? null);
    assert.equal(ended.outcome, 'refused');
    const again = await reaper.store.endSession(slow.sessionId, 'test', 1);
    assert.equal(again.outcome, 'committed');
  });

  test('a session that has ended is never live again', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { sessionId, store } = await world.join('a');
    await store.endSession(sessionId, 'test', null);
    const introduction = introduce(sessionId, 'a', 45_000);
    await assert.rejects(store.joinSession(introduction), /ended before it was joined/);
    const rows = await world.rows('SELECT state FROM session');
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['ended'],
    );
  });

  test('a second live session of a name is refused and told of the first', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [first, other] = [await world.join('same'), await world.join('other')];
    await other.store.endSession(other.sessionId, 'test', null);
    const second = introduce('second', 'same', 45_000);
    const outcome = await other.store.joinSession(second);
    assert.deepEqual(outcome, { outcome: 'refused', reason: first.sessionId });
  });

  test('a session that the database does not know writes nothing', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await world.addJob('other');
    await world.rows('DELETE FROM session');
    assert.equal(await node.start(launch), 'refused');
    assert.deepEqual(await node.claim(), []);
    const slots = await world.rows('SELECT state FROM slot ORDER BY job_id');
    assert.deepEqual(
      slots.map(({ state }) => state),
      ['prepare', 'idle'],
    );
  });

  test('a heartbeat waits for no lock and for no batch that is under way', async (t) => {
    const scope = lastFirst(t);
    const world = await makeReusedWorld(scope, engine);
    await world.addJob('plain');
    const proxy = await startCutProxy(scope, world.url);
    const node = await world.join('a', { url: proxy.url });
    const [launch] = await node.claim();
    assert.ok(launch);
    const held = proxy.holdAt('/* startSlots */');
    const starting = node.start(launch);
    const letGo = await held;
    // The batch has its locks and has read its session; every other lock is taken here.
    await world.channel.use(async (connection) => {
      await connection.query('START TRANSACTION');
      await connection.query('SELECT * FROM lock_row FOR UPDATE SKIP LOCKED');
      const renewing = node.store.renewSession(0, 1);
      const renewed = await within('the renewal', renewing, 4_000);
      assert.equal(renewed.outcome, 'committed');
      await connection.query('ROLLBACK');
    });
    letGo();
    assert.deepEqual(await starting, { verdict: 'done' });
  });
});
