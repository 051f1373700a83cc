import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchedLaunch } from '../../../src/domain/commit/nodeActivity.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { KeptMessages, watchMessages } from './messageWatch.ts';

const saidOf = (launchId: string, ...events: string[]): WatchedLaunch => ({
  launchId,
  messages: events.map((event) => ({ atMs: 7, from: null, to: 'slot', event, state: null })),
});

test('of each launch the latest report is kept, and of all no more than so many', () => {
  const kept = new KeptMessages(2);
  kept.add({ sessionId: 's1', reportedMs: 1, launches: [saidOf('s1:1', 'init')] });
  kept.add({ sessionId: 's1', reportedMs: 2, launches: [saidOf('s1:1', 'init', 'more')] });
  kept.add({ sessionId: 's2', reportedMs: 1, launches: null });
  const [first] = Object.values(kept.all().launches);
  assert.equal(first?.messages.length, 2);
  const others = ['s1:2', 's1:3'].map((launchId) => saidOf(launchId, 'init'));
  kept.add({ sessionId: 's1', reportedMs: 3, launches: others });
  const { launches, leftOut, sessions } = kept.all();
  assert.deepEqual(Object.keys(launches), ['s1:2', 's1:3']);
  assert.deepEqual([leftOut, sessions], [1, { s1: 3, s2: 1 }]);
});

await forEachEngine((engine) => {
  test('nodes hear that somebody looks, and what they report is read', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { sessionId, store } = await world.join('a');
    const watch = watchMessages(async () => world.url);
    t.after(() => watch.close());
    await until('it looks', async () => (await store.listSessions()).isActivityWatched === true);
    const said = saidOf(`${sessionId}:1`, 'init', 'start.committed');
    const none = { actors: [], slots: {}, transitions: [], guards: [] };
    await store.reportActivity(sessionId, { ...none, launches: [said] });
    await until('it was read', () => `${sessionId}:1` in watch.all().launches);
    const { launches, sessions } = watch.all();
    assert.deepEqual(launches[`${sessionId}:1`]?.messages, said.messages);
    assert.deepEqual(Object.keys(sessions), [sessionId]);
  });
});
