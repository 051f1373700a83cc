import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { outputBytesMax } from '../../../src/domain/job/fieldTable/processFields.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { waitForRequest } from '../../../src/store/requests/waitForRequest.ts';
import { listRunning, listRuns } from '../../../src/store/runs/listRuns.ts';
import type { RunShown } from '../../../src/store/runs/runRow.ts';
import { readOutput, showRun } from '../../../src/store/runs/showRun.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { definitionOf, runsOf, slotOf } from '../verify/assertAccounted.ts';

async function listed(world: StoreWorld, filter: Parameters<typeof listRuns>[1]) {
  const runs: RunShown[] = [];
  for await (const run of listRuns(world.channel, filter)) runs.push(run);
  return runs;
}

await forEachEngine((engine) => {
  test('a run asked for is claimed before a later tick, of a paused job too', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('rare', { schedule: '@yearly' }));
    await pauseJob(world.channel, 'rare');
    const asked = await runJob(world.channel, 'rare', 'request-1');
    assert.equal(asked.isNew, true);
    const waiting = waitForRequest(world.channel, 'request-1', 20_000);
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual([launch.trigger, launch.requestId], ['manual', 'request-1']);
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    await node.finish(launch, { exitCode: 3, result: 'failed' });
    const run = await waiting;
    assert.deepEqual([run?.launchId, run?.exitCode, run?.node], [launch.launchId, 3, 'a']);
    assert.equal((await slotOf(world, jobId)).next_run_at, null);
  });

  test('as much output as a job may keep is written to a server as it comes', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const node = await world.join('a');
    const output = randomBytes(outputBytesMax);
    const launchId = `${node.sessionId}:1`;
    // As a node does: a server that is slow is asked again, one that takes no such packet is not.
    const isWritten = async () => {
      try {
        await node.store.writeOutputs([{ launchId, output }]);
        return true;
      } catch (error) {
        assert.match((error as Error).message, /^no answer from the database within/);
        return false;
      }
    };
    await until('the default max_allowed_packet is enough', isWritten);
    const [row] = await world.rows('SELECT output FROM run_output');
    assert.ok(output.equals(row?.output));
  });

  test('a request id is taken once: pending, held, and as history', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('rare', { schedule: '@yearly' }));
    const ask = async () => (await runJob(world.channel, 'rare', 'request-1')).isNew;
    assert.equal(await ask(), true);
    assert.equal(await ask(), false);
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(await ask(), false);
    await node.start(launch);
    await node.finish(launch);
    assert.equal(await ask(), false);
    assert.equal((await runsOf(world, jobId)).length, 1);
    assert.equal((await world.rows('SELECT * FROM pending')).length, 0);
  });

  test('a request is found at the moment that a node takes it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, definitionOf('rare', { schedule: '@yearly' }));
    await runJob(world.channel, 'rare', 'request-1');
    const node = await world.join('a');
    const claimBefore = Object.assign(Object.create(world.channel), {
      async query(sql: string, values: string[]) {
        if (sql.includes('showRun waiting')) await node.claim();
        return world.channel.query(sql, values);
      },
    });
    assert.equal((await showRun(claimBefore, 'request-1')).requestId, 'request-1');
  });

  test('a wait that nobody answers ends in time with nothing', async (t) => {
    const world = await makeReusedWorld(t, engine);
    assert.equal(await waitForRequest(world.channel, 'nobody', 300), null);
  });

  test('a prepared launch that is stopped is withdrawn, the next tick stays', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobId = await world.addJob('plain', { dueInMs: 10_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.equal(await stopRun(world.channel, launch.launchId), 'withdrawn');
    assert.notDeepEqual(await node.start(launch), { verdict: 'done' });
    const [run, ...others] = await runsOf(world, jobId);
    assert.deepEqual([run?.result, run?.launch_id, others.length], ['stopped', launch.launchId, 0]);
    const slot = await slotOf(world, jobId);
    assert.equal(slot.next_run_at.getTime(), launch.cursorMs);
    assert.equal(await stopRun(world.channel, launch.launchId), 'ended');
    assert.equal((await runsOf(world, jobId)).length, 1);
  });

  test('an executing launch is asked to stop, once and by its id only', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobId = await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    assert.equal(await stopRun(world.channel, launch.launchId), 'asked');
    const first = (await slotOf(world, jobId)).stop_requested_at;
    assert.ok(first);
    assert.equal(await stopRun(world.channel, launch.launchId), 'asked');
    assert.deepEqual((await slotOf(world, jobId)).stop_requested_at, first);
    const { own } = await node.store.lookAtHeld();
    assert.equal(own[0]?.stopRequested, true);
    await node.finish(launch, { result: 'succeeded' });
    await assert.rejects(stopRun(world.channel, launch.launchId), { code: 'run_ended' });
    await assert.rejects(stopRun(world.channel, 'nobody:1'), { code: 'run_missing', exitCode: 1 });
  });

  test('runs are listed newest first, page by page, each once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('many', { schedule: '@yearly' }));
    // Many with the very same end, so that a page ends within them.
    const values = Array.from({ length: 2_500 }, (_, index) => [
      jobId,
      1,
      `s0:${index}`,
      'manual',
      1,
      new Date(index),
      new Date(1_700_000_000_000 + Math.floor(index / 700) * 1_000),
      'succeeded',
    ]);
    await world.rows(
      `INSERT INTO run (job_id, revision, launch_id, triggered_by, attempt, scheduled_for,
        ended_at, result) VALUES ?`,
      [values],
    );
    const runs = await listed(world, { runsMax: 10_000 });
    assert.deepEqual(
      runs.map(({ launchId }) => launchId),
      values.map((value) => value[2]).reverse(),
    );
    assert.equal((await listed(world, { runsMax: 1_001, job: 'many' })).length, 1_001);
    assert.equal((await listed(world, { runsMax: 10, since: { agoMs: 1_000 } })).length, 0);
    assert.equal((await listed(world, { runsMax: 10, job: 'none' })).length, 0);
  });

  test('a launch can be looked at while it executes and after its end', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('plain');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await listRunning(world.channel, { runsMax: 10 }), []);
    await node.start(launch);
    const [running] = await listRunning(world.channel, { runsMax: 10, job: 'plain' });
    assert.deepEqual(
      [running?.launchId, running?.result, running?.node],
      [launch.launchId, null, 'a'],
    );
    assert.equal((await showRun(world.channel, launch.launchId)).endedMs, null);
    const output = Buffer.from([0, 255, 10, 27]);
    await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
    await node.finish(launch, { outputBytes: 4 });
    const run = await showRun(world.channel, launch.launchId);
    assert.deepEqual([run.result, run.outputBytes, run.node], ['succeeded', 4, 'a']);
    assert.deepEqual(await readOutput(world.channel, launch.launchId), output);
    assert.equal(await readOutput(world.channel, 'nobody:1'), null);
    await assert.rejects(showRun(world.channel, 'nobody:1'), { code: 'run_missing' });
  });
});
