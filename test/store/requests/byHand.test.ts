import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { backfillJob } from '../../../src/store/requests/backfillJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRequest } from '../../../src/store/requests/stopRun.ts';
import { showRun } from '../../../src/store/runs/showRun.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';

const base: JobDefinition = { ...jobDefaults, name: 'job', schedule: '@manual', command: 'true' };

async function only(node: TestNode): Promise<Launch> {
  const [launch, ...others] = await node.claim();
  assert.ok(launch);
  assert.equal(others.length, 0);
  return launch;
}

function runsOf({ rows }: StoreWorld) {
  return rows('SELECT * FROM run ORDER BY run_id');
}

await forEachEngine((engine) => {
  test('skipped ticks are withdrawn or passed, told in the history, and never run', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('job', { schedule: '*/10 * * * * *', dueInMs: 25_000 });
    const node = await world.join('a');
    const prepared = await only(node);
    const [skipped] = await skipNext(world.channel, 'job', 3);
    const [first = 0, second = 0, third = 0] = skipped?.ticks ?? [];
    assert.equal(first, prepared.scheduledForMs);
    assert.ok(first < second && second < third && third < (skipped?.nextMs ?? 0));
    assert.deepEqual(await node.start(prepared), {
      verdict: 'refused',
      reason: 'the launch was taken back',
    });
    const rows = await runsOf(world);
    assert.deepEqual(
      rows.map((row) => [row.result, row.ticks, row.reason, row.launch_id]),
      [
        ['skipped', 1, 'skipped by an operator', prepared.launchId],
        ['skipped', 2, 'skipped by an operator', null],
      ],
    );
    assert.deepEqual(rows[1]?.scheduled_until, new Date(third));
    const { slots } = await showJob(world.channel, 'job');
    assert.deepEqual([slots[0]?.state, slots[0]?.cursorMs], ['idle', skipped?.nextMs]);
    await pauseJob(world.channel, 'job');
    await assert.rejects(skipNext(world.channel, 'job', 1), { code: 'job_paused' });
  });

  test('slots side by side skip a tick once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const definition = { ...base, schedule: '0 0 1 1 *', parallel: 3, format: 3 };
    await addJob(world.channel, definition);
    const skipped = await skipNext(world.channel, 'job', 2);
    assert.deepEqual(
      skipped.map(({ ticks }) => ticks.length),
      [2],
    );
    const { slots } = await showJob(world.channel, 'job');
    assert.deepEqual(new Set(slots.map(({ cursorMs }) => cursorMs)), new Set([skipped[0]?.nextMs]));
    const rows = await runsOf(world);
    assert.deepEqual(
      rows.map((row) => row.ticks),
      [2],
    );
  });

  test('a backfill runs its ticks in order, each once under its request', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, { ...base, schedule: '0 * * * *' });
    const node = await world.join('a');
    const fromMs = Date.parse('2020-02-01T00:00:00Z');
    const range = { fromMs, untilMs: fromMs + 3 * 3_600_000, ticksMax: 10 };
    const dry = await backfillJob(world.channel, 'job', 'fill', range, true);
    assert.equal(dry.added.length, 4);
    assert.equal((await world.rows('SELECT * FROM pending')).length, 0);
    const filled = await backfillJob(world.channel, 'job', 'fill', range);
    assert.deepEqual(filled.added, dry.ticks);
    for (const tickMs of filled.ticks.slice(0, 2)) {
      const launch = await only(node);
      assert.deepEqual([launch.trigger, launch.scheduledForMs], ['backfill', tickMs]);
      await node.start(launch);
      await node.finish(launch);
    }
    const again = await backfillJob(world.channel, 'job', 'fill', range);
    assert.deepEqual([again.ticks.length, again.added.length], [4, 0]);
    const more = backfillJob(world.channel, 'job', 'fill', { ...range, ticksMax: 3 });
    await assert.rejects(more, { code: 'too_many_ticks' });
    assert.equal((await showRun(world.channel, 'fill')).reason, 'it waits for its turn');
    assert.equal(await stopRequest(world.channel, 'job', 'fill'), 2);
    assert.equal(await stopRequest(world.channel, 'job', 'fill'), 0);
    const claimed = await node.claim();
    assert.ok(claimed.every(({ trigger }) => trigger === 'schedule'));
    const stopped = (await runsOf(world)).filter(({ result }) => result === 'stopped');
    assert.equal(stopped.length, 2);
  });

  test('a backfill that reaches into the future is refused, with nothing asked for', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, { ...base, schedule: '* * * * *' });
    const [clock] = await world.rows('SELECT NOW(3) AS at');
    const nowMs = clock?.at.getTime() as number;
    const ask = (untilMs: number, isDry = false) =>
      backfillJob(world.channel, 'job', 'fill', { fromMs, untilMs, ticksMax: 10 }, isDry);
    const fromMs = nowMs - 60_000;
    for (const isDry of [true, false]) {
      await assert.rejects(ask(nowMs + 100_000, isDry), {
        code: 'backfill_future',
        message: /^to: .* is still to come: it is .* by the database's clock\.$/,
      });
    }
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
    assert.equal((await ask(nowMs)).added.length, 1);
  });

  test('a tick of a backfill that is given back runs before its later ticks', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, base);
    await editJob(world.channel, 'job', (old) => ({ ...old, schedule: '0 0 1 1 *' }));
    const node = await world.join('a');
    const fromMs = Date.parse('2020-01-01T00:00:00Z');
    const untilMs = Date.parse('2022-01-01T00:00:00Z');
    await backfillJob(world.channel, 'job', 'fill', { fromMs, untilMs, ticksMax: 10 });
    const { slotId, stripe, launchId } = await only(node);
    await node.ask({ kind: 'reset', why: 'draining', slotId, stripe, launchId });
    const years: string[] = [];
    for (let left = 3; left > 0; left -= 1) {
      const launch = await only(node);
      await node.start(launch);
      await node.finish(launch);
      years.push(new Date(launch.scheduledForMs).toISOString().slice(0, 4));
    }
    assert.deepEqual(years, ['2020', '2021', '2022']);
  });

  test('only the wanted node takes a run, and none when it is gone', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, { ...base, env: { A: '1', B: '2' } });
    const [a, b] = [await world.join('a'), await world.join('b')];
    const wishes = { wantedNode: 'b', env: { B: '3' } };
    await runJob(world.channel, 'job', 'for-b', wishes);
    assert.deepEqual(await a.claim(), []);
    const launch = await only(b);
    assert.deepEqual(launch.definition.env, { A: '1', B: '3' });
    await b.ask({
      kind: 'reset',
      why: 'draining',
      slotId: launch.slotId,
      stripe: launch.stripe,
      launchId: launch.launchId,
    });
    assert.deepEqual(await a.claim(), [], 'given back it is still for that node');
    await b.store.endSession(b.sessionId, 'test', null);
    const away = runJob(world.channel, 'job', 'again', { wantedNode: 'b' });
    await assert.rejects(away, { code: 'node_away', hint: /Live are: a/ });
    const c = await world.join('c');
    await c.store.runMaintenance();
    assert.deepEqual(await runsOf(world), [], 'it has a minute to come back');
    await world.rows('UPDATE session SET ended_at = ended_at - INTERVAL 2 MINUTE');
    const d = await world.join('d');
    assert.equal(await d.store.runMaintenance(), 1);
    const [run] = await runsOf(world);
    assert.deepEqual([run?.result, run?.request_id], ['skipped', 'for-b']);
    assert.match(run?.reason as string, /the node b that was to run it is gone/);
    const target = { excludeNodes: ['a'] };
    await editJob(world.channel, 'job', (old) => ({ ...old, target, format: 3 }));
    const excluded = runJob(world.channel, 'job', 'no', { wantedNode: 'a' });
    const message = 'The job may not run on the node a: the job has --not-on-node a.';
    await assert.rejects(excluded, { code: 'node_not_eligible', message });
  });

  test('a run is refused for a node that live ones outrank, or that takes no work', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, base);
    await addJob(world.channel, { ...base, name: 'each', kind: 'every-node', format: 3 });
    await world.join('first', { facts: { level: 1 } });
    const second = await world.join('second', { facts: { level: 2 } });
    await world.join('idle', { facts: { level: 0 } });
    const runOn = (wantedNode: string, job = 'job') =>
      runJob(world.channel, job, `${job}-${wantedNode}`, { wantedNode });
    await assert.rejects(runOn('second'), { code: 'node_outranked', message: /level 2/ });
    await assert.rejects(runOn('idle'), { code: 'node_not_eligible', message: /level 0/ });
    assert.equal((await runOn('first')).isNew, true);
    await assert.rejects(runOn('idle', 'each'), { code: 'node_not_eligible' });
    await second.store.ensureNodeSlots();
    assert.equal((await runOn('second', 'each')).isNew, true, 'every node has its own slot');
  });

  test('a run for one node leaves the ticks of the schedule to all', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('job', { schedule: '0 0 1 1 *', dueInMs: 86_400_000 });
    const [a, b] = [await world.join('a'), await world.join('b')];
    await runJob(world.channel, 'job', 'for-b', { wantedNode: 'b' });
    assert.deepEqual(await a.claim(), [], 'a tick a day ahead is not taken for it');
    await runJob(world.channel, 'job', 'for-all');
    assert.equal((await only(a)).requestId, 'for-all');
    assert.deepEqual(await b.claim(), [], 'the slot is taken');
  });

  test('an overlap is ignored only where a slot is free', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, base);
    const node = await world.join('a');
    const ask = (id: string) => runJob(world.channel, 'job', id, { ignoresOverlap: true });
    await ask('one');
    await node.start(await only(node));
    await assert.rejects(ask('two'), { code: 'overlap', message: /running already/ });
    assert.equal((await world.rows('SELECT * FROM pending')).length, 0);
    await editJob(world.channel, 'job', (old) => ({ ...old, parallel: 2, format: 3 }));
    await ask('two');
    assert.equal((await only(node)).requestId, 'two');
  });

  test('a pause ends by itself, once, and not when it was changed', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel, rows } = world;
    await addJob(channel, { ...base, schedule: '0 0 1 1 *' });
    const [a, b] = [await world.join('a'), await world.join('b')];
    await pauseJob(channel, 'job', { forMs: 3_600_000 });
    await editJob(channel, 'job', (old) => ({ ...old, command: 'false' }));
    assert.equal(await a.store.runMaintenance(), 0);
    const { resumeAtMs, nowMs } = await showJob(channel, 'job');
    assert.ok(resumeAtMs !== null && Math.abs(resumeAtMs - nowMs - 3_600_000) < 60_000);
    await rows('UPDATE job SET resume_at = NOW(3) - INTERVAL 1 SECOND');
    const resumed = await Promise.all([a.store.runMaintenance(), b.store.runMaintenance()]);
    assert.ok(resumed[0] + resumed[1] >= 1);
    const shown = await showJob(channel, 'job');
    assert.deepEqual([shown.isPaused, shown.revisions[0].revision], [false, 4]);
    await pauseJob(channel, 'job', { forMs: 1 });
    await pauseJob(channel, 'job');
    await rows('UPDATE job SET resume_at = IF(resume_at IS NULL, NULL, NOW(3))');
    await a.store.runMaintenance();
    assert.equal((await showJob(channel, 'job')).isPaused, true, 'a plain pause has no end');
  });
});
