import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyDefaults } from '../../../src/domain/commit/historyKeep.ts';
import type { NodeActivity } from '../../../src/domain/commit/nodeActivity.ts';
import { readActivity } from '../../../src/store/activity/readActivity.ts';
import { watchActivity } from '../../../src/store/activity/watchActivity.ts';
import { cleanSessions } from '../../../src/store/history/cleanSessions.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

const activity = (count: number): NodeActivity => ({
  actors: [{ actor: 'node', machine: 'node', state: 'live.serving' }],
  slots: { 'executing.running': count },
  transitions: [
    {
      ...{ machine: 'slot', from: 'slot.prepare.starting', to: 'slot.executing' },
      ...{ event: 'start.committed', guard: null, count },
    },
  ],
  guards: [{ machine: 'slot', guard: 'tickHasCome', allowed: count, refused: 0 }],
});

await forEachEngine((engine) => {
  test('nodes hear that somebody looks at activity, for as long as somebody does', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { store } = await world.join('a');
    const isWatched = async () => (await store.listSessions()).isActivityWatched;
    assert.equal(await isWatched(), false);
    await watchActivity(world.channel);
    await watchActivity(world.channel);
    assert.equal(await isWatched(), true);
    await world.rows(
      `UPDATE note SET note_value = CAST(NOW(3) - INTERVAL 1 SECOND AS CHAR)
       WHERE note_name = 'activity_watched_until'`,
    );
    assert.equal(await isWatched(), false);
  });

  test('the last activity of a session is read by others, also after its end', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [a, b] = [await world.join('a'), await world.join('b')];
    const read = async (node: string | null) =>
      (await readActivity(world.channel, node)).map((each) => [
        each.node,
        each.isLive,
        each.activity,
      ]);
    assert.deepEqual(await read('b'), [['b', true, null]]);
    await b.store.reportActivity(b.sessionId, activity(1));
    await b.store.reportActivity(b.sessionId, activity(2));
    assert.deepEqual(await read('b'), [['b', true, activity(2)]]);
    await a.store.endSession(a.sessionId, 'test', null);
    await b.store.endSession(b.sessionId, 'test', null);
    assert.deepEqual(await read(null), [['b', false, activity(2)]]);
    assert.deepEqual(await read('nobody'), []);
  });

  test('the activity of a session goes with it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [a, b] = [await world.join('a'), await world.join('b')];
    for (const { sessionId, store } of [a, b]) {
      await store.reportActivity(sessionId, activity(1));
    }
    await a.store.endSession(a.sessionId, 'test', null);
    await world.rows(
      `UPDATE session SET ended_at = '2020-01-01', reaped_at = '2020-01-01'
       WHERE state = 'ended'`,
    );
    await cleanSessions(world.channel, historyDefaults, null);
    const left = await world.rows('SELECT session_id FROM node_activity');
    assert.deepEqual(
      left.map((row) => row.session_id),
      [b.sessionId],
    );
  });
});
