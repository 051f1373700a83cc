import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeActorWorld, moreLooks, type NodeUnderTest } from '../../actors/actorWorld.ts';
import { until } from '../../support/until.ts';
import { watchStalls } from '../../support/watchStalls.ts';
import { type FaultProxy, startFaultProxy } from '../proxy/faultProxy.ts';
import { isMet, lostOrLate } from './lostOrLate.ts';

const commit = '/* commitBatch commit */';
const late = { kind: 'request delayed', statement: commit } as const;
/** At this TTL a client gives up after 5 s, and a server cuts silent holders after 30 s. */
const ttlMs = 150_000;

async function gaveUp(node: NodeUnderTest): Promise<void> {
  const unknown = () =>
    node.troubles.some((trouble) => trouble.startsWith('a transaction was not confirmed'));
  await until('the node gave the COMMIT up', unknown);
}

describe('a COMMIT that arrives after its node gave it up', { concurrency: true }, () => {
  test('(a) a claim that commits late is in no roster, is reset, and its tick runs', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    const tickMs = await world.addOnce('job', 3);
    const armed = proxy.arm(late);
    const node = world.node('a', { url: proxy.url, ttlMs });
    await isMet(armed);
    await gaveUp(node);
    await moreLooks(node, 1);
    assert.equal((await world.slot('job')).state, 'idle');
    assert.deepEqual(node.adopted, []);
    armed.release();
    const { launch_id: lost } = await until('it commits', async () => {
      const slot = await world.slot('job');
      return slot.state === 'prepare' && slot;
    });
    await until('the run', async () => (await world.runs('job')).length > 0);
    assert.ok(node.adopted.every(({ launchId }) => launchId !== lost));
    assert.deepEqual(
      (await world.runs('job')).map((run) => [run.result, run.scheduled_for.getTime()]),
      [['succeeded', tickMs]],
    );
    assert.equal(world.ledger.entries.length, 1);
    await world.requireSound();
  });

  test('(b) a start that commits late spawned nothing, is reset, and its tick runs', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    await world.addOnce('job', 3);
    const node = world.node('a', { url: proxy.url, ttlMs });
    const first = await until('the claim', () => node.adopted[0]);
    const armed = proxy.arm(late);
    await isMet(armed);
    await until('memory lets go', () => node.running.roster.get(first.launchId) === undefined);
    await moreLooks(node, 1);
    assert.equal((await world.slot('job')).state, 'prepare');
    assert.deepEqual(world.ledger.entries, [], 'nothing is done about it while its lock is held');
    armed.release();
    await until('the run', () => world.ledger.entries.length > 0);
    await until('its row', async () => (await world.runs('job')).length === 2);
    assert.deepEqual(
      (await world.runs('job')).map((run) => [run.result, run.launch_id === first.launchId]),
      [
        ['not_started', true],
        ['succeeded', false],
      ],
    );
    assert.equal(world.ledger.entries.length, 1);
    await world.requireSound();
  });

  test('(c) a finish that commits late is retried until it is refused, with one row', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    const proxy = await startFaultProxy(world.scope, world.url);
    await world.addOnce('job', 2);
    const node = world.node('a', { url: proxy.url, ttlMs });
    const entry = await until('it executes', () => world.ledger.entries[0]);
    const armed = proxy.arm(late);
    entry.end({ result: 'failed', exitCode: 3 });
    await isMet(armed);
    await gaveUp(node);
    await moreLooks(node, 1);
    assert.ok(node.running.roster.get(entry.launch.launchId), 'it stays in executing');
    armed.release();
    await until('memory lets go', () => node.running.roster.size === 0);
    assert.deepEqual(
      (await world.runs('job')).map((run) => [run.launch_id, run.result, run.exit_code]),
      [[entry.launch.launchId, 'failed', 3]],
    );
    await world.requireSound();
  });

  test('(d) a reset that commits late is asked for until it is settled, once', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    await world.addOnce('job', 3);
    const node = world.node('a', { url: proxy.url, ttlMs });
    await until('the claim', () => node.adopted[0]);
    const start = proxy.arm({ kind: 'reply lost', statement: commit });
    const armed = proxy.arm(late);
    await isMet(start);
    await isMet(armed);
    await gaveUp(node);
    await moreLooks(node, 1);
    assert.equal((await world.slot('job')).state, 'executing');
    armed.release();
    await until('the run', async () => (await world.runs('job')).length === 2);
    assert.deepEqual(
      (await world.runs('job')).map(({ result }) => result),
      ['not_started', 'succeeded'],
    );
    assert.equal(world.ledger.entries.length, 1);
    assert.equal(node.ending(), null);
    await world.requireSound();
  });

  for (const kind of lostOrLate) {
    test(`(e) a reap whose COMMIT meets ${kind} leaves one lost run, and is closed`, async (t) => {
      const world = await makeActorWorld(t);
      await world.add('job', '@yearly');
      await world.rows('UPDATE slot SET next_run_at = NOW(3), cursor_at = NOW(3)');
      const dead = await world.join('dead');
      const [launch] = await dead.claim();
      assert.ok(launch);
      await dead.start(launch);
      await dead.store.endSession(dead.sessionId, 'test', null);
      const proxy = await startFaultProxy(world.scope, world.url);
      const armed = proxy.arm({ ...late, kind });
      const heir = world.node('heir', { url: proxy.url });
      await isMet(armed);
      await gaveUp(heir);
      armed.release();
      await until('it is closed', async () => {
        const [session] = await world.rows('SELECT reaped_at FROM session WHERE session_id = ?', [
          dead.sessionId,
        ]);
        return session?.reaped_at !== null;
      });
      assert.deepEqual(
        (await world.runs('job')).map((run) => [run.result, run.launch_id]),
        [['lost', launch.launchId]],
      );
      assert.equal((await world.slot('job')).state, 'idle');
    });
  }

  test('a lease counts from when a renewal was sent, not from when its answer came', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    const node = world.node('a', { url: proxy.url, ttlMs: 10_000 });
    await hasJoined(node);
    const renewal = '/* renewSession */';
    const slow = proxy.arm({ kind: 'reply delayed', statement: renewal, delayMs: 1_700 });
    await isMet(slow);
    const sentMs = performance.now();
    const stalledMs = watchStalls(world);
    await slow.settled;
    proxy.refuse(true);
    proxy.cutAll();
    assert.equal((await node.ended()).ending, 'fenced');
    const leaseMs = performance.now() - sentMs;
    t.diagnostic(`fenced ${Math.round(leaseMs)} ms after the last good renewal was sent`);
    const ownMs = leaseMs - stalledMs();
    assert.ok(ownMs < 8_000 + 1_300, 'a lease from the receipt would last 9,700 ms');
  });

  test('a lease is not extended by a renewal that nobody acknowledged', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startFaultProxy(world.scope, world.url);
    const node = world.node('a', { url: proxy.url, ttlMs: 10_000 });
    await hasJoined(node);
    const beganMs = performance.now();
    const stalledMs = watchStalls(world);
    const stopLosing = loseReplies(proxy, '/* renewSession */');
    let lost = 0;
    try {
      assert.equal((await node.ended()).ending, 'fenced');
    } finally {
      lost = await stopLosing();
    }
    const tookMs = performance.now() - beganMs - stalledMs();
    const [session] = await world.rows('SELECT * FROM session');
    assert.ok(lost > 0 && Number(session?.beats) > lost, 'though each of them was committed');
    assert.ok(tookMs < 8_000 + 2_000);
  });
});

/** Waits until it serves; fails at once when it ended, as after a stall longer than its lease. */
async function hasJoined(node: NodeUnderTest): Promise<void> {
  await until('it has joined', () => {
    assert.equal(node.ending(), null);
    return node.looks() > 0;
  });
}

/** Loses every reply to a statement, until it is told to stop; how many, it tells then. */
function loseReplies(proxy: FaultProxy, statement: string): () => Promise<number> {
  let [isOn, lost] = [true, 0];
  let fault = proxy.arm({ kind: 'reply lost', statement });
  const losing = (async () => {
    while (isOn) {
      if (await fault.hit) lost += 1;
      if (isOn) fault = proxy.arm({ kind: 'reply lost', statement });
    }
  })();
  return async () => {
    isOn = false;
    fault.cancel();
    await losing;
    return lost;
  };
}
