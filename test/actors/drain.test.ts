import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { drainNode, uncordonNode } from '../../src/store/cluster/holdNode.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { until, within } from '../support/until.ts';
import { watchStalls } from '../support/watchStalls.ts';
import { lateRuns, makeActorWorld } from './actorWorld.ts';

describe('a drain', { concurrency: true }, () => {
  test('prepared slots are given back at once and run by another node at their tick', async (t) => {
    const world = await makeActorWorld(t);
    for (const number of [1, 2, 3, 4, 5]) await world.addOnce(`job${number}`, 20);
    const leaving = world.node('leaving');
    await until('the claims', () => leaving.running.roster.size === 5);
    const staying = world.node('staying');
    const stalledMs = watchStalls(world);
    leaving.running.drain();
    assert.deepEqual(await leaving.running.ended, { ending: 'left', error: null });
    const [held] = await world.rows('SELECT COUNT(*) AS slots FROM slot WHERE session_id = ?', [
      leaving.running.sessionId,
    ]);
    assert.equal(held?.slots, 0);
    const [session] = await world.rows('SELECT * FROM session WHERE session_id = ?', [
      leaving.running.sessionId,
    ]);
    assert.equal(session?.state, 'ended', 'nobody waits for its TTL');
    assert.equal(session?.ended_why, 'it was stopped');
    await until('the runs', async () => (await world.runs()).length === 5);
    assert.equal(staying.adopted.length, 5);
    assert.deepEqual(await lateRuns(world, stalledMs), []);
    await world.requireSound();
  });

  test('prepared slots of a node that an operator drains go to others, and it stays', async (t) => {
    const world = await makeActorWorld(t);
    for (const number of [1, 2, 3]) await world.addOnce(`job${number}`, 15);
    const drained = world.node('drained');
    await until('the claims', () => drained.running.roster.size === 3);
    const staying = world.node('staying');
    const { withdrawn, prepared } = await drainNode(world.channel, 'drained');
    assert.deepEqual([withdrawn, prepared], [3, 0]);
    await until('the runs', async () => (await world.runs()).length === 3);
    assert.equal(staying.adopted.length, 3);
    await until('it has let go of them', () => drained.running.roster.size === 0);
    assert.equal(drained.ending(), null);
    await uncordonNode(world.channel, 'drained');
    await world.requireSound();
  });

  test('what executes ends by itself within the drain timeout', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    const node = world.node('a', { drainTimeoutMs: 60_000 });
    const entry = await until('it executes', () => world.ledger.entries[0]);
    node.running.drain();
    await world.addOnce('later', 2);
    await until('the later tick is over', async () => {
      const slot = await world.slot('later');
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      return clock?.at > slot.cursor_at;
    });
    assert.equal(node.ending(), null);
    assert.equal(world.ledger.entries.length, 1, 'a draining node claims nothing');
    entry.end();
    assert.equal((await node.ended()).ending, 'left');
    assert.deepEqual(
      (await world.runs()).map(({ result }) => result),
      ['succeeded'],
    );
  });

  test('what executes beyond the drain timeout is stopped and recorded as stopped', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    const node = world.node('a', { drainTimeoutMs: 300 });
    await until('it executes', () => world.ledger.entries[0]);
    node.running.drain();
    assert.equal((await node.ended()).ending, 'left');
    const [run] = await world.runs();
    assert.equal(run?.result, 'stopped');
    assert.equal(run?.reason, reasons.nodeStopped('a', 300));
    await world.requireSound();
  });

  test('a launch whose start is under way when all is stopped is stopped too', async (t) => {
    const world = await makeActorWorld(t);
    world.ledger.lastsMs = () => null;
    const proxy = await startCutProxy(world.scope, world.url);
    await world.addOnce('job', 3);
    const node = world.node('a', { url: proxy.url });
    await within('the claim', node.firstAdopted);
    const letReplyGo = await proxy.holdAt('/* commitBatch commit */');
    assert.equal((await world.slot('job')).state, 'executing');
    node.running.drain();
    node.running.drain(); // asked again: what executes is stopped
    letReplyGo();
    await until('it has left', () => node.ending());
    assert.deepEqual(
      (await world.runs()).map(({ result }) => result),
      ['stopped'],
    );
    await world.requireSound();
  });

  test('a node that drains while it joins leaves no live session', async (t) => {
    const world = await makeActorWorld(t);
    const node = world.node('a');
    node.running.drain();
    assert.equal((await node.ended()).ending, 'left');
    assert.deepEqual(await world.rows("SELECT * FROM session WHERE state = 'live'"), []);
  });

  test('a node that drains while it waits for its name does not join after that', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startCutProxy(world.scope, world.url);
    const rival = await world.join('a');
    const held = proxy.holdAt('/* listSessions */');
    const node = world.node('a', { url: proxy.url });
    const letReplyGo = await held;
    await rival.store.endSession(rival.sessionId, 'test', null);
    const look = proxy.holdAt('/* listSessions */');
    letReplyGo();
    const letLookGo = await look;
    node.running.drain();
    letLookGo();
    assert.equal((await node.ended()).ending, 'left');
    assert.deepEqual(await world.rows("SELECT * FROM session WHERE state = 'live'"), []);
  });
});
