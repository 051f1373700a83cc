import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { introduce } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { type CutWorld, isMet, lostOrLate, makeCutWorld } from './lostOrLate.ts';

const introduction = introduce('joins-once', 'b', 5_000);
const renewal = '/* renewSession */';

await forEachEngine((engine) => {
  for (const fault of lostOrLate) {
    test(`a heartbeat, ${fault}, is unknown and the next one is good`, async (t) => {
      const world = await makeCutWorld(t, engine);
      const { sessionId, store } = await world.through('a');
      assert.equal((await store.renewSession(0, 1)).outcome, 'committed');
      const armed = world.proxy.arm({ kind: fault, statement: renewal });
      assert.equal((await store.renewSession(1, 2)).outcome, 'unknown');
      await isMet(armed);
      // The next names the number that was acknowledged and one that was never used.
      assert.equal((await store.renewSession(1, 3)).outcome, 'committed');
      armed.release();
      await armed.settled;
      assert.equal(await beatsOf(world, sessionId), 3, 'a late renewal takes nothing back');
      assert.equal((await store.renewSession(3, 4)).outcome, 'committed');
    });

    test(`an end of a session, ${fault}, is unknown and ends it once`, async (t) => {
      const world = await makeCutWorld(t, engine);
      const reaper = await world.through('reaper');
      const { sessionId } = await world.join('dead');
      const armed = world.proxy.arm({ kind: fault, statement: '/* endSession commit */' });
      const end = () => reaper.store.endSession(sessionId, 'it stood still', 0);
      assert.equal((await end()).outcome, 'unknown');
      await isMet(armed);
      armed.release();
      const again = await end();
      assert.equal(again.outcome, fault === 'request lost' ? 'committed' : 'refused');
      const [session] = await world.rows('SELECT * FROM session WHERE session_id = ?', [sessionId]);
      assert.deepEqual([session?.state, session?.ended_why], ['ended', 'it stood still']);
    });

    test(`a join, ${fault}, is unknown and is joined by asking again`, async (t) => {
      const world = await makeCutWorld(t, engine);
      const { store } = await world.through('other');
      const armed = world.proxy.arm({ kind: fault, statement: '/* joinSession commit */' });
      assert.equal((await store.joinSession(introduction)).outcome, 'unknown');
      await isMet(armed);
      armed.release();
      assert.equal((await store.joinSession(introduction)).outcome, 'committed');
      const [{ lives } = { lives: 0 }] = await world.rows(
        "SELECT COUNT(*) AS lives FROM session WHERE node_name = 'b' AND state = 'live'",
      );
      assert.equal(lives, 1);
    });
  }

  test('a renewal that arrives after the end of its session revives nothing', async (t) => {
    const world = await makeCutWorld(t, engine);
    const { sessionId, store } = await world.through('a');
    const armed = world.proxy.arm({ kind: 'request delayed', statement: renewal });
    assert.equal((await store.renewSession(0, 1)).outcome, 'unknown');
    const other = await world.join('b');
    assert.equal((await other.store.endSession(sessionId, 'test', 0)).outcome, 'committed');
    armed.release();
    await armed.settled;
    const [session] = await world.rows('SELECT * FROM session WHERE session_id = ?', [sessionId]);
    assert.deepEqual([session?.state, Number(session?.beats)], ['ended', 0]);
    assert.equal((await store.renewSession(0, 2)).outcome, 'refused', 'it is fenced');
  });

  test('a reaper that pauses between its look and its write ends no live session', async (t) => {
    const world = await makeCutWorld(t, engine);
    const reaper = await world.through('reaper');
    const { sessionId, store } = await world.join('slow');
    const { sessions } = await reaper.store.listSessions();
    const beatsSeen = sessions.find((each) => each.sessionId === sessionId)?.beats ?? -1;
    // Its write is on the way for as long as the other needs to come back to life.
    const armed = world.proxy.arm({ kind: 'request delayed', statement: '/* endSession */' });
    const ending = reaper.store.endSession(sessionId, 'it stood still', beatsSeen);
    await isMet(armed);
    assert.equal((await store.renewSession(0, 1)).outcome, 'committed');
    armed.release();
    assert.equal((await ending).outcome, 'refused');
    assert.equal((await store.renewSession(1, 2)).outcome, 'committed');
  });

  test('a claim that commits after the end of its session is reaped', async (t) => {
    const world = await makeCutWorld(t, engine);
    const jobId = await world.addDue('job');
    const dead = await world.through('dead');
    const armed = world.proxy.arm({ kind: 'request delayed', statement: 'commitBatch commit' });
    assert.deepEqual(await dead.claim(1), []);
    await isMet(armed);
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', 0);
    const reap = (stripes: readonly number[]) =>
      heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes });
    // Nothing is seen of the claim, but its transaction holds what it came for.
    const first = await reap(allStripes);
    assert.ok(typeof first === 'object' && first.verdict === 'reaped');
    assert.equal(first.slots, 0);
    const busy = allStripes.filter((stripe) => !first.stripes.includes(stripe));
    assert.ok(busy.includes(jobId % 64), 'so its stripe is not done with');
    armed.release();
    const last = await until('the stripe is free', async () => {
      const verdict = await reap(busy);
      const isReaped = typeof verdict === 'object' && verdict.verdict === 'reaped';
      return isReaped && verdict.stripes.length > 0 && verdict;
    });
    assert.deepEqual([last.stripes, last.slots], [busy, 1]);
    assert.deepEqual(await world.rows("SELECT * FROM slot WHERE state <> 'idle'"), []);
  });
});

async function beatsOf(world: CutWorld, sessionId: string): Promise<number> {
  const rows = await world.rows('SELECT beats FROM session WHERE session_id = ?', [sessionId]);
  return Number(rows[0]?.beats);
}
