import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { succeeded } from '../../support/testNode.ts';
import { addressOf, forEachStore, verdictWord } from './forEachStore.ts';

const done = { verdict: 'done' };

await forEachStore((makeWorld) => {
  test('a launch goes idle → prepare → executing → idle with one run row', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const prepared = await world.slot('plain');
    assert.equal(prepared.state, 'prepare');
    assert.equal(prepared.launchId, launch.launchId);
    assert.equal(prepared.sessionId, node.sessionId);
    assert.equal(prepared.revision, 1);
    assert.deepEqual(await node.start(launch), done);
    assert.equal((await world.slot('plain')).state, 'executing');
    assert.deepEqual(await node.finish(launch, { exitCode: 3, result: 'failed' }), done);

    const slot = await world.slot('plain');
    assert.equal(slot.state, 'idle');
    assert.equal(slot.launchId, null);
    assert.equal(slot.sessionId, null);
    assert.equal(slot.revision, null);
    assert.equal(slot.nextRunMs, launch.scheduledForMs + 1000);
    const [run, ...others] = (await world.runs('plain')).filter((row) => row.launchId !== null);
    assert.equal(others.length, 0);
    assert.equal(run?.launchId, launch.launchId);
    assert.equal(run?.result, 'failed');
    assert.equal(run?.exitCode, 3);
    assert.equal(run?.scheduledForMs, launch.scheduledForMs);
    assert.ok((run?.startedMs ?? Infinity) <= (run?.endedMs ?? 0));
  });

  test('a start before the tick is early and changes nothing', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('later', { dueInMs: 20_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await node.start(launch), { verdict: 'early' });
    assert.equal((await world.slot('later')).state, 'prepare');
  });

  test('a start that is asked for a moment ahead waits in the store for its tick', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('soon', { dueInMs: 2_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const ask = {
      kind: 'start',
      ...addressOf(launch),
      waitUntilMs: launch.scheduledForMs,
    } as const;
    let words: string[] = [];
    // It waits for at most 20 ms, so that all before the last are early.
    while (words.at(-1) !== 'done') words = [...words, await verdictWord(node.ask(ask))];
    assert.ok(words.slice(0, -1).every((word) => word === 'early'));
    await node.finish(launch);
    const run = (await world.runs('soon')).find(({ launchId }) => launchId !== null);
    assert.ok((run?.startedMs ?? 0) >= launch.scheduledForMs);
  });

  test('no arrow is taken from a state that it may not leave', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await verdictWord(node.finish(launch)), 'refused', 'finish from prepare');
    await node.start(launch);
    assert.deepEqual(await node.start(launch), done, 'a start asked twice is one start');
    await node.finish(launch);
    assert.deepEqual(await verdictWord(node.start(launch)), 'refused', 'start from idle');
    assert.deepEqual(await verdictWord(node.finish(launch)), 'refused', 'finish from idle');
    const rows = (await world.runs('plain')).filter((row) => row.launchId !== null);
    assert.equal(rows.length, 1);
  });

  test('a run ends when its host says so, between its start and now', async (t) => {
    const world = await makeWorld(t);
    const node = await world.join('a');
    const ends = async (name: string, agoMs: number | null) => {
      await world.addJob(name);
      const launch = (await node.claim()).find(({ definition }) => definition.name === name);
      assert.ok(launch);
      await node.start(launch);
      await world.age(name, 60);
      const nowMs = Math.round((await node.store.listSessions()).databaseNowMs ?? Number.NaN);
      await node.finish(launch, {}, agoMs === null ? undefined : nowMs - agoMs);
      const run = (await world.runs(name)).find(({ launchId }) => launchId === launch.launchId);
      const startedAgoMs = nowMs - (run?.startedMs ?? Number.NaN);
      return { endedAgoMs: nowMs - (run?.endedMs ?? Number.NaN), startedAgoMs };
    };
    assert.equal((await ends('late', 20_000)).endedAgoMs, 20_000);
    const early = await ends('early', 90_000);
    assert.equal(early.endedAgoMs, early.startedAgoMs);
    for (const agoMs of [null, -90_000]) {
      const { endedAgoMs } = await ends(`now ${agoMs}`, agoMs);
      assert.ok(endedAgoMs <= 0 && endedAgoMs > -30_000, `${endedAgoMs}`);
    }
  });

  test('a finish of an old launch does not touch the slot that was claimed anew', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain', { schedule: '* * * * * *' });
    const dead = await world.join('dead');
    const [old] = await dead.claim();
    assert.ok(old);
    await dead.start(old);
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    const [fresh] = await heir.claim();
    assert.ok(fresh);
    assert.equal(await dead.finish(old), 'refused', 'the session of the old one has ended');
    const verdict = heir.ask({ kind: 'finish', ...addressOf(old), execution: succeeded });
    assert.equal(await verdictWord(verdict), 'refused', 'its launch id is not the slot’s');
    assert.equal((await world.slot('plain')).launchId, fresh.launchId);
  });

  test('a session that has ended writes nothing any more', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.store.endSession(node.sessionId, 'test', null);
    assert.equal(await node.start(launch), 'refused');
    assert.deepEqual(await node.claim(), []);
    assert.equal((await world.slot('plain')).state, 'prepare');
  });

  test('what needs a held stripe is busy, and the rest of its batch is done', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('one');
    await world.addJob('two');
    const node = await world.join('a');
    const launches = await node.claim();
    const of = (name: string) =>
      launches.find(({ definition }) => definition.name === name) as Launch;
    const release = await world.hold([of('one').stripe]);
    const outcome = await node.store.commitBatch(
      launches.map((launch) => ({ kind: 'start', ...addressOf(launch), waitUntilMs: null })),
    );
    assert.equal(outcome.outcome, 'committed');
    const verdicts = outcome.outcome === 'committed' ? outcome.value : [];
    const word = (launch: Launch) => verdicts[launches.indexOf(launch)]?.verdict;
    assert.deepEqual([word(of('one')), word(of('two'))], ['busy', 'done']);
    assert.equal((await world.slot('one')).state, 'prepare');
    await release();
    assert.deepEqual(await node.start(of('one')), done);
  });

  test('a claim takes only what stands on stripes that are free', async (t) => {
    const world = await makeWorld(t);
    await world.addJob('one');
    await world.addJob('two');
    const release = await world.hold([1]);
    const node = await world.join('a');
    const names = async () => (await node.claim()).map(({ definition }) => definition.name);
    assert.deepEqual(await names(), ['two']);
    await release();
    assert.deepEqual(await names(), ['one']);
  });
});
