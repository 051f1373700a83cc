import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { addressOf, forEachStore, verdictWord } from './forEachStore.ts';

const done = { verdict: 'done' };

await forEachStore((makeWorld) => {
  test('a reaped prepare keeps its tick, a reaped executing is a lost run', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('prepared');
    await world.addJob('executing');
    const dead = await world.join('dead');
    const launches = await dead.claim();
    const of = (name: string) =>
      launches.find(({ definition }) => definition.name === name) as Launch;
    await dead.start(of('executing'));
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    const reaped = await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    assert.deepEqual(reaped, { verdict: 'reaped', stripes: allStripes, slots: 2 });
    const [prepared, executing] = [await world.slot('prepared'), await world.slot('executing')];
    assert.deepEqual([prepared.state, executing.state], ['idle', 'idle']);
    assert.equal(prepared.nextRunMs, of('prepared').scheduledForMs);
    assert.equal(executing.nextRunMs, of('executing').scheduledForMs + 1000);
    // A second may begin before the claim: what it passes over then has a row without a launch.
    const launched = async (name: string) =>
      (await world.runs(name)).filter(({ launchId }) => launchId !== null);
    assert.deepEqual(await launched('prepared'), []);
    const [lost] = await launched('executing');
    assert.equal(lost?.result, 'lost');
    assert.equal(lost?.launchId, of('executing').launchId);
  });

  test('a reap leaves what stands on a held stripe for the next one', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('one');
    await world.addJob('two');
    const dead = await world.join('dead');
    const held = (await dead.claim()).find(({ definition }) => definition.name === 'one');
    assert.ok(held);
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    const release = await world.hold([held.stripe]);
    const reap = { kind: 'reap', sessionId: dead.sessionId, stripes: allStripes } as const;
    const free = allStripes.filter((stripe) => stripe !== held.stripe);
    assert.deepEqual(await heir.ask(reap), { verdict: 'reaped', stripes: free, slots: 1 });
    assert.equal((await world.slot('one')).state, 'prepare');
    await release();
    const rest = { ...reap, stripes: [held.stripe] };
    assert.deepEqual(await heir.ask(rest), { verdict: 'reaped', stripes: rest.stripes, slots: 1 });
    assert.equal((await world.slot('one')).state, 'idle');
  });

  test('a live session is not reaped', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const alive = await world.join('alive');
    await alive.claim();
    const other = await world.join('other');
    const reap = { kind: 'reap', sessionId: alive.sessionId, stripes: allStripes } as const;
    assert.equal(await verdictWord(other.ask(reap)), 'refused');
    assert.equal((await world.slot('plain')).state, 'prepare');
  });

  test('a reset launch was not started; the same tick is next', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    const reset = { kind: 'reset', why: 'own', ...addressOf(launch) } as const;
    assert.deepEqual(await node.ask(reset), done);
    const slot = await world.slot('plain');
    assert.equal(slot.state, 'idle');
    assert.equal(slot.nextRunMs, launch.scheduledForMs);
    const run = (await world.runs('plain')).find(({ launchId }) => launchId !== null);
    assert.equal(run?.result, 'not_started');
    assert.equal(run?.isFinal, false);
    assert.equal(await verdictWord(node.ask(reset)), 'refused', 'a reset asked twice is one reset');
  });

  test('a reset ends the tick when the job was edited meanwhile', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    await world.change('edit', 'plain', '0 0 1 1 *');
    assert.deepEqual(await node.ask({ kind: 'reset', why: 'own', ...addressOf(launch) }), done);
    const run = (await world.runs('plain')).find(({ launchId }) => launchId !== null);
    assert.equal(run?.result, 'not_started');
    assert.equal(run?.isFinal, true);
    const { nextRunMs } = await world.slot('plain');
    assert.ok(nextRunMs !== null && nextRunMs > launch.scheduledForMs);
  });

  test('a reset asked for twice in one batch is one reset', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const reset = { kind: 'reset', why: 'own', ...addressOf(launch) } as const;
    const outcome = await node.store.commitBatch([reset, reset]);
    assert.deepEqual(outcome, { outcome: 'committed', value: [done, done] });
    assert.equal((await world.slot('plain')).state, 'idle');
  });

  test('a node that drains gives back what is prepared and nothing that executes', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const giveBack = { kind: 'reset', why: 'draining', ...addressOf(launch) } as const;
    const other = await world.join('b');
    assert.equal(await verdictWord(other.ask(giveBack)), 'refused', 'it is not its own');
    await node.start(launch);
    assert.equal(await verdictWord(node.ask(giveBack)), 'refused');
    assert.equal((await world.slot('plain')).state, 'executing');
  });

  test('a live node keeps a prepared launch until it is overdue by ten seconds', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const slow = await world.join('slow');
    const [launch] = await slow.claim();
    assert.ok(launch);
    const other = await world.join('other');
    const reset = { kind: 'reset', why: 'overdue', ...addressOf(launch) } as const;
    assert.equal(await verdictWord(other.ask(reset)), 'refused');
    assert.deepEqual((await other.store.lookAtHeld()).overdue, []);
    await world.age('plain', 11);
    assert.equal((await other.store.lookAtHeld()).overdue[0]?.launchId, launch.launchId);
    assert.deepEqual((await slow.store.lookAtHeld()).overdue, [], 'its own are not for it to take');
    assert.equal((await slow.store.lookAtHeld()).own[0]?.launchId, launch.launchId);
    assert.deepEqual(await other.ask(reset), done);
    assert.equal(await verdictWord(slow.start(launch)), 'refused');
  });

  test('a pending launch is claimed once and put back by a reap', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain', { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
    assert.equal(await world.run('plain', 'request-1'), true);
    const dead = await world.join('dead');
    const [launch] = await dead.claim();
    assert.equal(launch?.trigger, 'manual');
    assert.equal(launch?.requestId, 'request-1');
    assert.deepEqual(await world.pending('plain'), []);
    assert.equal(await world.run('plain', 'request-1'), false, 'the slot has it');
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    assert.deepEqual(await world.pending('plain'), ['request-1']);
    const [again] = await heir.claim();
    assert.equal(again?.requestId, 'request-1');
    assert.equal(again?.scheduledForMs, launch?.scheduledForMs);
  });
});
