import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

const done = { verdict: 'done' };

await forEachEngine((engine) => {
  test('whatever an old launch asks for leaves the launch alone that has its slot', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain', { dueInMs: -5_000 });
    const node = await world.join('a');
    const [old] = await node.claim();
    assert.ok(old);
    const { slotId, stripe } = old;
    const reset = (launchId: string) =>
      node.ask({ kind: 'reset', why: 'own', slotId, stripe, launchId });
    assert.deepEqual(await reset(old.launchId), done);
    const [fresh] = await node.claim();
    assert.ok(fresh);
    assert.notEqual(fresh.launchId, old.launchId);

    const askAll = async (state: string) => {
      for (const ask of [node.start(old), node.finish(old), reset(old.launchId)]) {
        const verdict = await ask;
        assert.equal(typeof verdict === 'object' && verdict.verdict, 'refused', state);
        const [slot] = await world.rows('SELECT state, launch_id FROM slot');
        assert.deepEqual([slot?.state, slot?.launch_id], [state, fresh.launchId]);
      }
    };
    await askAll('prepare');
    assert.deepEqual(await node.start(fresh), done);
    await askAll('executing');
    assert.deepEqual(await node.finish(fresh), done);
    const runs = await world.rows('SELECT launch_id FROM run WHERE launch_id IS NOT NULL');
    assert.deepEqual(
      runs.map(({ launch_id }) => launch_id),
      [fresh.launchId],
    );
  });

  test('what another session holds is neither started nor reset as one of the own', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain', { dueInMs: -5_000 });
    const [owner, other] = [await world.join('owner'), await world.join('other')];
    const [launch] = await owner.claim();
    assert.ok(launch);
    const { slotId, stripe, launchId } = launch;
    for (const why of ['own', 'draining'] as const) {
      const verdict = await other.ask({ kind: 'reset', why, slotId, stripe, launchId });
      assert.equal(typeof verdict === 'object' && verdict.verdict, 'refused', why);
    }
    assert.notDeepEqual(await other.start(launch), done);
    const [slot] = await world.rows('SELECT state, session_id FROM slot');
    assert.deepEqual([slot?.state, slot?.session_id], ['prepare', owner.sessionId]);
    assert.deepEqual(await owner.start(launch), done);
  });
});
