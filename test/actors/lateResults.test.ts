import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { bootMs } from '../../src/exec/lease/bootClock.ts';
import { openSpool } from '../../src/exec/result/spoolFolder.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { succeeded } from '../support/testNode.ts';
import { until } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';
import { holdStripes } from './holdStripes.ts';

async function makeSpooledWorld(t: TestContext) {
  const world = await makeActorWorld(t);
  const spoolFolder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  t.after(() => rmSync(spoolFolder, { recursive: true }));
  return { world, spoolFolder, spool: openSpool(spoolFolder) };
}

describe('results that the database cannot take', { concurrency: 4 }, () => {
  test('a finish that waits for its stripe is spooled, and removed when it is done', async (t) => {
    const { world, spoolFolder, spool } = await makeSpooledWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    const node = world.node('a', { spoolFolder });
    const entry = await until('it executes', () => world.ledger.entries[0]);
    const { launchId } = entry.launch;
    const letGo = await holdStripes(world, [(await world.slot('job')).stripe]);
    const endedBootMs = bootMs() - 60_000;
    const output = { output: Buffer.from('hello'), outputBytes: 5 };
    entry.end({ result: 'failed', exitCode: 3, ...output, endedBootMs });
    await until('it is spooled', async () => (await spool.list()).includes(launchId));
    const spooled = await spool.read(launchId);
    assert.ok(spooled !== null && 'execution' in spooled);
    assert.deepEqual(
      [spooled.execution.exitCode, `${spooled.execution.output}`.length > 0],
      [3, true],
    );
    const [row] = await world.rows('SELECT NOW(3) AS now_at');
    const agoMs = row?.now_at.getTime() - (spooled.endedMs ?? 0);
    assert.ok(agoMs > 59_000, `it ended when its process did, not ${agoMs} ms ago`);
    await letGo();
    await until('the run', async () => (await world.runs('job')).length === 1);
    await until('nothing is spooled', async () => (await spool.list()).length === 0);
    assert.equal(node.ending(), null);
    await world.requireSound();
  });

  test('while a renewal is unanswered no result waits for a second to be spooled', async (t) => {
    const { world, spoolFolder, spool } = await makeSpooledWorld(t);
    world.ledger.lastsMs = () => null;
    const names = ['a', 'b', 'c'];
    for (const name of names) await world.addOnce(name, 2);
    const proxy = await startCutProxy(world.scope, world.url);
    world.node('a', { spoolFolder, url: proxy.url });
    await until('all execute', () => world.ledger.entries.length === names.length);
    const stripes = await Promise.all(names.map(async (name) => (await world.slot(name)).stripe));
    const letGo = await holdStripes(world, stripes);
    const answer = await proxy.holdAt('/* renewSession */');
    const took: number[] = [];
    // A machine that stands still for a second says nothing; one of them is enough.
    for (const { end, launch } of world.ledger.entries) {
      const began = performance.now();
      end({ result: 'failed', exitCode: 3 });
      await until('it is spooled', async () => (await spool.list()).includes(launch.launchId));
      took.push(performance.now() - began);
      if (took.some((ms) => ms < 900)) break;
    }
    assert.ok(Math.min(...took) < 900, `spooled after ${took.map(Math.round)} ms`);
    answer();
    await letGo();
  });

  test('a node whose session was ended hands its results over to the next one', async (t) => {
    const { world, spoolFolder, spool } = await makeSpooledWorld(t);
    world.ledger.lastsMs = () => null;
    await world.addOnce('job', 2);
    const node = world.node('a', { spoolFolder });
    const entry = await until('it executes', () => world.ledger.entries[0]);
    const { launchId } = entry.launch;
    const letGo = await holdStripes(world, [(await world.slot('job')).stripe]);
    entry.end({ result: 'failed', exitCode: 3 });
    await node.running.store.endSession(node.running.sessionId, 'test', null);
    assert.equal((await node.ended()).ending, 'fenced');
    assert.deepEqual(await spool.list(), [launchId], 'handed over before the end');
    const next = world.node('a', { spoolFolder });
    await until('it looks', () => next.looks() >= 1);
    assert.deepEqual(await spool.list(), [launchId], 'the slot holds the launch still');
    await letGo();
    await until('it is recorded', async () => (await spool.list()).length === 0);
    const [run, ...others] = await world.runs('job');
    assert.deepEqual([run?.launch_id, run?.result, run?.exit_code], [launchId, 'failed', 3]);
    assert.match(run?.reason, /recorded late/);
    assert.equal(others.length, 0);
    await world.requireSound();
  });

  test('a spooled result whose finish was committed after all changes nothing', async (t) => {
    const { world, spoolFolder, spool } = await makeSpooledWorld(t);
    await world.addOnce('job', 2);
    world.node('a', { spoolFolder });
    await until('the run', async () => (await world.runs('job')).length === 1);
    const [before] = await world.rows('SELECT * FROM run');
    const execution = { ...succeeded, result: 'failed', exitCode: 9 } as const;
    await spool.write({ launchId: before?.launch_id, execution, endedMs: null });
    world.node('b', { spoolFolder });
    await until('it is removed', async () => (await spool.list()).length === 0);
    assert.deepEqual(await world.rows('SELECT * FROM run'), [before]);
  });

  test('a result that nothing knows is kept, and the others behind it are recorded', async (t) => {
    const { world, spoolFolder, spool } = await makeSpooledWorld(t);
    for (let at = 1; at <= 250; at += 1) {
      await spool.write({ launchId: `s00:${at}`, execution: succeeded, endedMs: null });
    }
    await world.addOnce('job', 2);
    const proxy = await startCutProxy(world.scope, world.url);
    world.node('a');
    const run = await until('the run', async () => (await world.runs('job'))[0]);
    await world.rows("UPDATE run SET result = 'lost'");
    await spool.write({ launchId: run.launch_id, execution: succeeded, endedMs: null });
    const wasCut = proxy.cutAt('/* recordLate commit */', 'reply lost');
    const next = world.node('b', { spoolFolder, url: proxy.url });
    await wasCut;
    const isThere = async () => (await spool.list()).includes(run.launch_id);
    await until('it is removed', async () => !(await isThere()));
    assert.equal((await world.runs('job'))[0]?.result, 'succeeded');
    assert.equal((await spool.list()).length, 250);
    assert.ok(next.troubles.some((trouble) => /recording results/.test(trouble)));
  });
});
