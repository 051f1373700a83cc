import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { succeeded } from '../../support/testNode.ts';

const done = { verdict: 'done' };

await forEachEngine((engine) => {
  test('a launch goes idle → prepare → executing → idle with one run row', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'prepare');
    assert.deepEqual(await node.start(launch), done);
    assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'executing');
    assert.deepEqual(await node.finish(launch, { exitCode: 3, result: 'failed' }), done);

    const [slot] = await world.rows('SELECT * FROM slot');
    assert.equal(slot?.state, 'idle');
    assert.equal(slot?.launch_id, null);
    assert.equal(slot?.session_id, null);
    assert.equal(slot?.next_run_at.getTime(), launch.scheduledForMs + 1000);
    const runs = await world.rows('SELECT * FROM run WHERE launch_id IS NOT NULL');
    assert.equal(runs.length, 1);
    assert.equal(runs[0]?.launch_id, launch.launchId);
    assert.equal(runs[0]?.result, 'failed');
    assert.equal(runs[0]?.exit_code, 3);
    assert.equal(runs[0]?.scheduled_for.getTime(), launch.scheduledForMs);
    assert.ok(runs[0]?.started_at <= runs[0]?.ended_at);
  });

  test('a start before the tick is early and changes nothing', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('later', { dueInMs: 20_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await node.start(launch), { verdict: 'early' });
    assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'prepare');
  });

  test('no arrow is taken from a state that it may not leave', async (t) => {
    const world = await makeReusedWorld(t, engine);
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
    assert.equal((await world.rows('SELECT * FROM run WHERE launch_id IS NOT NULL')).length, 1);
  });

  test('a finish of an old launch does not touch the slot that was claimed anew', async (t) => {
    const world = await makeReusedWorld(t, engine);
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
    const finish = { slotId: old.slotId, stripe: old.stripe, launchId: old.launchId };
    const verdict = await heir.ask({ kind: 'finish', ...finish, execution: succeeded });
    assert.deepEqual(await verdictWord(verdict), 'refused', 'its launch id is not the slot’s');
    assert.equal((await world.rows('SELECT launch_id FROM slot'))[0]?.launch_id, fresh.launchId);
  });

  test('a session that has ended writes nothing any more', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.store.endSession(node.sessionId, 'test', null);
    assert.equal(await node.start(launch), 'refused');
    assert.deepEqual(await node.claim(), []);
    assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'prepare');
  });

  test('a reaped prepare keeps its tick, a reaped executing is a lost run', async (t) => {
    const world = await makeReusedWorld(t, engine);
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

    const slots = await world.rows('SELECT * FROM slot ORDER BY job_id');
    assert.deepEqual(
      slots.map(({ state }) => state),
      ['idle', 'idle'],
    );
    assert.equal(slots[0]?.next_run_at.getTime(), of('prepared').scheduledForMs);
    assert.equal(slots[1]?.next_run_at.getTime(), of('executing').scheduledForMs + 1000);
    const runs = await world.rows('SELECT * FROM run WHERE launch_id IS NOT NULL');
    assert.deepEqual(
      runs.map(({ result, job_id }) => [result, job_id]),
      [['lost', 2]],
    );
  });

  test('a live session is not reaped', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const alive = await world.join('alive');
    await alive.claim();
    const other = await world.join('other');
    const verdict = await other.ask({
      kind: 'reap',
      sessionId: alive.sessionId,
      stripes: allStripes,
    });
    assert.equal(await verdictWord(verdict), 'refused');
    assert.equal((await world.rows('SELECT state FROM slot'))[0]?.state, 'prepare');
  });

  test('a reset launch was not started; the same tick is next', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    const { slotId, stripe, launchId } = launch;
    const reset = { kind: 'reset', why: 'own', slotId, stripe, launchId } as const;
    assert.deepEqual(await node.ask(reset), done);
    const [slot] = await world.rows('SELECT * FROM slot');
    assert.equal(slot?.state, 'idle');
    assert.equal(slot?.next_run_at.getTime(), launch.scheduledForMs);
    const [run] = await world.rows('SELECT * FROM run WHERE launch_id IS NOT NULL');
    assert.equal(run?.result, 'not_started');
    assert.equal(run?.is_final, 0);
    assert.equal(await verdictWord(node.ask(reset)), 'refused', 'a reset asked twice is one reset');
  });

  test('a live node keeps a prepared launch until it is overdue by ten seconds', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const slow = await world.join('slow');
    const [launch] = await slow.claim();
    assert.ok(launch);
    const other = await world.join('other');
    const { slotId, stripe, launchId } = launch;
    const reset = { kind: 'reset', why: 'overdue', slotId, stripe, launchId } as const;
    assert.equal(await verdictWord(other.ask(reset)), 'refused');
    await world.rows(
      'UPDATE slot SET scheduled_for = NOW(3) - INTERVAL 11 SECOND, next_run_at = scheduled_for',
    );
    assert.equal((await other.store.lookAtHeld()).overdue[0]?.launchId, launchId);
    assert.deepEqual(await other.ask(reset), done);
    assert.equal(await verdictWord(slow.start(launch)), 'refused');
  });

  test('a pending launch is claimed once and put back by a reap', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain', { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
    await world.rows(`INSERT INTO pending
      (job_id, triggered_by, scheduled_for, request_id, not_before)
      VALUES (1, 'manual', NOW(3), 'request-1', NOW(3))`);
    await world.rows('UPDATE slot SET next_run_at = NOW(3)');
    const dead = await world.join('dead');
    const [launch] = await dead.claim();
    assert.equal(launch?.trigger, 'manual');
    assert.equal(launch?.requestId, 'request-1');
    assert.equal((await world.rows('SELECT * FROM pending')).length, 0);
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    const [again] = await heir.claim();
    assert.equal(again?.requestId, 'request-1');
    assert.equal(again?.scheduledForMs, launch?.scheduledForMs);
  });
});

async function verdictWord(asked: unknown): Promise<string> {
  const verdict = await asked;
  return typeof verdict === 'string' ? verdict : (verdict as { verdict: string }).verdict;
}
