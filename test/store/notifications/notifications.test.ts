import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { recordLate } from '../../../src/store/runs/recordLate.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { succeeded } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import {
  addTarget,
  addTelling,
  notificationsOf,
  outboxOf,
  runOne,
  startOne,
  statesOf,
  tellOnce,
} from './notificationWorld.ts';

await forEachEngine((engine) => {
  test('who is named is told of a failure and of the recovery, once each', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', { on: ['failure', 'recovery'], to: ['ops'] });
    await addTelling(world, 'other');
    const node = await world.join('a');
    for (const isGood of [true, false, false, true, true]) await runOne(world, node, 'job', isGood);
    await runOne(world, node, 'other', false);
    const told = ['ops:failure:job', 'ops:failure:job', 'ops:recovery:job'];
    assert.deepEqual(await tellOnce(node), told);
    assert.deepEqual(await tellOnce(node), []);
    const [row] = await notificationsOf(world);
    const facts = JSON.parse(row?.facts as string) as Record<string, unknown>;
    assert.equal(facts.result, 'failed');
    assert.equal(facts.exitCode, 3);
    assert.equal(facts.node, 'a');
    assert.ok(!('command' in facts) && !('env' in facts));
  });

  test('a run that its node stopped as it ended is a failure, and is recovered from', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', { on: ['failure', 'recovery'], to: ['ops'] });
    const node = await world.join('a');
    for (const reason of [reasons.stopped('SIGTERM'), reasons.nodeStopped('a', 30_000)]) {
      const launch = await startOne(world, node, 'job');
      await node.finish(launch, { result: 'stopped', reason });
    }
    await runOne(world, node, 'job');
    assert.deepEqual(await tellOnce(node), ['ops:failure:job', 'ops:recovery:job']);
  });

  test('a finish and its notification are one transaction', async (t) => {
    const scope = lastFirst(t);
    const world = await makeReusedWorld(scope, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', { on: ['failure'], to: ['ops'] });
    const proxy = await startCutProxy(scope, world.url);
    const node = await world.join('a', { url: proxy.url });
    const launch = await startOne(world, node, 'job');
    const failed = { result: 'failed', exitCode: 1 } as const;
    const wasCut = proxy.cutAt('/* finishSlots */', 'request lost');
    assert.equal(await node.finish(launch, failed), 'unknown');
    await wasCut;
    assert.deepEqual(await notificationsOf(world), []);
    await until('it is written', async () => {
      const verdict = await node.finish(launch, failed);
      return typeof verdict === 'object' && verdict.verdict === 'done';
    });
    await node.finish(launch, failed);
    assert.deepEqual(await statesOf(world), ['ops:failure:waiting']);
  });

  test('jobs that nobody watches cost no statement more, start, finish and claim', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job');
    const node = await world.join('a');
    await runOne(world, node, 'job');
    const before = await leastStatements();
    await addTarget(world, 'other', { kind: 'mail' });
    await outboxOf(node).takeNotifications([]);
    assert.equal(await leastStatements(), before);
    await addTarget(world, 'all', { events: ['failure'] });
    await outboxOf(node).takeNotifications([]);
    await runOne(world, node, 'job', false);
    assert.deepEqual(await statesOf(world), ['all:failure:waiting']);

    /** Of several finishes, since idle connections are spoken to now and then. */
    async function leastStatements(): Promise<number> {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round += 1) {
        const launch = await startOne(world, node, 'job');
        const began = node.store.statements();
        await node.finish(launch);
        least = Math.min(least, node.store.statements() - began);
      }
      return least;
    }
  });

  test('a node that is lost is told of once, and its runs to those that name them', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTarget(world, 'all', { events: ['node-lost'] });
    await addTelling(world, 'job', { on: ['failure', 'node-lost'], to: ['ops'] });
    const [victim, heir] = [await world.join('victim'), await world.join('heir')];
    await startOne(world, victim, 'job');
    const [row] = await world.rows('SELECT beats FROM session WHERE session_id = ?', [
      victim.sessionId,
    ]);
    const beats = Number(row?.beats);
    await heir.store.endSession(victim.sessionId, 'it stood still', beats);
    await heir.store.endSession(victim.sessionId, 'it stood still', beats);
    const reap = { kind: 'reap', sessionId: victim.sessionId, stripes: allStripes } as const;
    await heir.ask(reap);
    await heir.ask(reap);
    const told = (await tellOnce(heir)).sort();
    assert.deepEqual(told, ['all:node-lost:victim', 'ops:node-lost:job']);
    await heir.store.endSession(heir.sessionId, 'it was stopped', null);
    assert.equal((await notificationsOf(world)).length, 2);
  });

  test('a range of missed ticks is told of once, by a claim as by a change', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const notify = { on: ['missed' as const], to: ['ops'] };
    for (const name of ['claimed', 'edited']) {
      await addTelling(world, name, notify, { schedule: '0 * * * *', misfire: 'skip' });
    }
    await world.rows('UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 1 DAY');
    const tick = "DATE_FORMAT(NOW() - INTERVAL 6 HOUR, '%Y-%m-%d %H:00:00')";
    await world.rows(`UPDATE slot SET cursor_at = ${tick}, next_run_at = ${tick}`);
    await editJob(world.channel, 'edited', (job) => ({ ...job, command: 'false' }));
    const node = await world.join('a');
    await node.claim();
    const told = (await tellOnce(node)).sort();
    assert.deepEqual(told, ['ops:missed:claimed', 'ops:missed:edited']);
    const [one] = await notificationsOf(world);
    const facts = JSON.parse(one?.facts as string) as Record<string, number>;
    assert.ok((facts.ticks ?? 0) >= 5, JSON.stringify(facts));
  });

  test('a run that takes long is told of while it runs, and not when it has ended', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', { on: ['long-running'], to: ['ops'], longMs: 600_000 });
    await addTelling(world, 'long', { on: ['long-running'], to: ['ops'], longMs: 600_000 });
    const node = await world.join('a');
    await runOne(world, node, 'job');
    assert.deepEqual(await notificationsOf(world), [], 'the end takes it back');
    await startOne(world, node, 'long');
    assert.deepEqual(await tellOnce(node), [], 'not yet');
    await world.rows('UPDATE notice SET due_at = NOW(3), since_at = NOW(3)');
    assert.deepEqual(await tellOnce(node), ['ops:long-running:long']);
    // One whose end did not take it back, since the job said something else by then.
    const launch = await startOne(world, node, 'job');
    await editJob(world.channel, 'job', ({ notify: _, format: __, ...rest }) => rest);
    await node.finish(launch);
    await world.rows(`UPDATE notice SET due_at = NOW(3) WHERE state = 'waiting'`);
    assert.deepEqual(await tellOnce(node), []);
    const states = ['ops:long-running:dropped', 'ops:long-running:sent'];
    assert.deepEqual(await statesOf(world), states);
  });

  test('a ping hears of each start and end, and of a late start not at all', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'check', { kind: 'ping' });
    await addTelling(world, 'job', { on: [], to: [], ping: ['check'] });
    const node = await world.join('a');
    await runOne(world, node, 'job');
    await runOne(world, node, 'job', false);
    const told = ['check:start:job', 'check:success:job', 'check:start:job', 'check:failure:job'];
    assert.deepEqual(await tellOnce(node), told);
    await runOne(world, node, 'job');
    await world.rows(`UPDATE notice SET created_at = NOW(3) - INTERVAL 2 MINUTE
      WHERE state = 'waiting'`);
    assert.deepEqual(await tellOnce(node), ['check:success:job']);
  });

  test('a lost run that had succeeded after all is told as a recovery', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', { on: ['failure', 'recovery'], to: ['ops'] });
    const [victim, heir] = [await world.join('victim'), await world.join('heir')];
    const { launchId } = await startOne(world, victim, 'job');
    await heir.store.endSession(victim.sessionId, 'it stood still', null);
    await heir.ask({ kind: 'reap', sessionId: victim.sessionId, stripes: allStripes });
    assert.deepEqual(await tellOnce(heir), [], 'its result may come yet');
    await world.rows('UPDATE notice SET due_at = NOW(3)');
    assert.deepEqual(await tellOnce(heir), ['ops:failure:job']);
    const late = { launchId, execution: succeeded, endedMs: null };
    assert.equal((await recordLate(world.channel, late)).outcome, 'committed');
    assert.deepEqual(await tellOnce(heir), ['ops:recovery:job']);
    assert.equal((await recordLate(world.channel, late)).outcome, 'refused');
    assert.deepEqual(await tellOnce(heir), []);
  });

  test('a lost run whose result comes soon is told of as what it came to', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    for (const name of ['bad', 'good']) {
      await addTelling(world, name, { on: ['failure', 'recovery'], to: ['ops'] });
    }
    const [victim, heir] = [await world.join('victim'), await world.join('heir')];
    const launches = [await startOne(world, victim, 'bad'), await startOne(world, victim, 'good')];
    await heir.store.endSession(victim.sessionId, 'it stood still', null);
    await heir.ask({ kind: 'reap', sessionId: victim.sessionId, stripes: allStripes });
    const [row] = await world.rows('SELECT MAX(started_at) AS at FROM run');
    const endedMs = row?.at.getTime() + 5;
    const failed = { ...succeeded, result: 'failed', exitCode: 3 } as const;
    for (const [index, execution] of [failed, succeeded].entries()) {
      const launchId = launches[index]?.launchId ?? '';
      const recorded = await recordLate(world.channel, { launchId, execution, endedMs });
      assert.equal(recorded.outcome, 'committed');
    }
    assert.deepEqual(await tellOnce(heir), ['ops:failure:bad'], 'nothing of the good one');
    const [notice] = await notificationsOf(world);
    const { endedAt, exitCode, node, result } = JSON.parse(notice?.facts as string);
    assert.deepEqual([exitCode, node, result], [3, 'victim', 'failed']);
    assert.equal(endedAt, new Date(endedMs).toISOString());
  });

  test('what is told leaves the database as verify wants it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'all', { events: ['failure', 'recovery'] });
    await addTelling(world, 'job', { on: ['failure'], to: ['all'] });
    const node = await world.join('a');
    for (const isGood of [false, true]) await runOne(world, node, 'job', isGood);
    assert.deepEqual(await tellOnce(node), ['all:failure:job', 'all:recovery:job']);
    assert.deepEqual((await verifyDatabase(world.channel)).findings, []);
  });
});
