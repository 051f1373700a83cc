import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RetryPolicy } from '../../../../src/domain/job/jobPolicies.ts';
import { reasons } from '../../../../src/domain/reasons/reasons.ts';
import { allStripes } from '../../../../src/domain/run/stripes.ts';
import { ChannelConnection } from '../../../../src/store/connection/channel.ts';
import { pauseJob, resumeJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { showJob } from '../../../../src/store/jobs/showJob.ts';
import { runJob } from '../../../../src/store/requests/runJob.ts';
import { forEachEngine } from '../../../support/forEachEngine.ts';
import { makeHeldWorld } from '../../../support/heldClock.ts';
import { assertAccounted, runsOf } from '../../verify/assertAccounted.ts';
import { addPolicyJob, moveCursor, startNext } from './policyJob.ts';

const retry: RetryPolicy = {
  max: 2,
  delayMs: 20_000,
  backoff: 'exponential',
  delayMsMax: 60_000,
  jitter: false,
  on: ['failure', 'timeout'],
};

const failed = { result: 'failed', exitCode: 1 } as const;

await forEachEngine((engine) => {
  test('what failed is tried again after its delay, and holds up no other tick', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { retry });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await node.finish(launch, failed);
    const [waiting] = await world.rows('SELECT *, NOW(3) AS now_at FROM pending');
    assert.equal(waiting?.triggered_by, 'retry');
    assert.equal(waiting?.attempt, 2);
    assert.equal(waiting?.scheduled_for.getTime(), launch.scheduledForMs);
    const leftMs = waiting?.not_before.getTime() - waiting?.now_at.getTime();
    assert.ok(leftMs > 5_000 && leftMs <= 20_000, `${leftMs} ms`);
    const next = await startNext(world, node);
    assert.equal(next.trigger, 'schedule', 'the next tick');
    await node.finish(next);

    // No tick comes while the attempts are dealt with.
    await moveCursor(world, '+');
    await world.rows('UPDATE pending SET not_before = NOW(3)');
    await world.rows('UPDATE slot SET next_run_at = NOW(3)');
    const again = await startNext(world, node);
    assert.deepEqual([again.trigger, again.attempt], ['retry', 2]);
    assert.equal(again.scheduledForMs, launch.scheduledForMs);
    await node.finish(again, { result: 'timed_out', exitCode: null });
    const [third] = await world.rows('SELECT *, NOW(3) AS now_at FROM pending');
    assert.ok(third?.not_before.getTime() - third?.now_at.getTime() > 25_000, 'twice the delay');
    await world.rows('UPDATE pending SET not_before = NOW(3)');
    await world.rows('UPDATE slot SET next_run_at = NOW(3)');
    const last = await startNext(world, node);
    await node.finish(last, failed);
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
    const attempts = (await runsOf(world, job.jobId)).filter(
      (run) => run.scheduled_for.getTime() === launch.scheduledForMs,
    );
    assert.deepEqual(
      attempts.map((run) => [run.attempt, run.result, run.is_final]),
      [
        [1, 'failed', 0],
        [2, 'timed_out', 0],
        [3, 'failed', 1],
      ],
    );
    await moveCursor(world, '-');
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a retry that is put back keeps its delay, and its request', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { retry }, 86_400_000);
    await runJob(world.channel, job.name, 'request-1');
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await node.finish(launch, failed);
    const [before] = await world.rows('SELECT * FROM pending');
    const [again] = await node.claim();
    assert.ok(again);
    assert.equal(again.startAtMs, before?.not_before.getTime());
    assert.equal(
      ((await node.start(again)) as { verdict: string }).verdict,
      'done',
      'its tick is over',
    );
    const { slotId, stripe, launchId } = again;
    await node.ask({ kind: 'reset', why: 'own', slotId, stripe, launchId });
    const [after] = await world.rows('SELECT * FROM pending');
    assert.equal(after?.not_before.getTime(), before?.not_before.getTime());
    assert.equal(after?.request_id, 'request-1');
    assert.equal(after?.attempt, 2);
  });

  test('a start that is delayed waits for its delay, not only for its tick', async (t) => {
    const world = await makeHeldWorld(t, engine);
    await addPolicyJob(world, { splayMs: 20_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch && launch.startAtMs >= launch.scheduledForMs);
    await world.rows('UPDATE slot SET next_run_at = NOW(3) + INTERVAL 5 SECOND');
    const { slotId, stripe, launchId } = launch;
    const request = { kind: 'start', slotId, stripe, launchId, waitUntilMs: null } as const;
    assert.deepEqual(await node.ask({ ...request, isDelayed: true }), { verdict: 'early' });
    await world.rows('UPDATE slot SET next_run_at = NOW(3)');
    assert.deepEqual(await node.ask({ ...request, isDelayed: true }), { verdict: 'done' });
  });

  test('nothing is tried again of a job that was paused meanwhile', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { retry });
    const node = await world.join('a');
    const launch = await startNext(world, node);
    await pauseJob(world.channel, job.name);
    await node.finish(launch, failed);
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
    const runs = await runsOf(world, job.jobId);
    assert.equal(runs.find((run) => run.result === 'failed')?.is_final, 1);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('what a lost node ran runs again, as a new attempt of its tick', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { nodeLoss: 'rerun' });
    const dead = await world.join('dead');
    const launch = await startNext(world, dead);
    const heir = await world.join('heir');
    await heir.store.endSession(dead.sessionId, 'test', null);
    await heir.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
    const [lost] = await world.rows("SELECT is_final FROM run WHERE result = 'lost'");
    assert.equal(lost?.is_final, 0);
    const again = await startNext(world, heir);
    assert.deepEqual([again.trigger, again.attempt], ['retry', 2]);
    assert.equal(again.scheduledForMs, launch.scheduledForMs);
    await heir.finish(again);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a launch that comes after its start deadline is missed, not started', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { startDeadlineMs: 2_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const { slotId, stripe, launchId } = launch;
    const startBeforeMs = launch.scheduledForMs - 1;
    const request = { kind: 'start', slotId, stripe, launchId } as const;
    const verdict = await node.ask({
      ...request,
      waitUntilMs: launch.startAtMs,
      startBeforeMs,
    });
    assert.deepEqual(verdict, { verdict: 'refused', reason: reasons.tooLate });
    const [run] = await world.rows('SELECT * FROM run WHERE launch_id = ?', [launchId]);
    assert.deepEqual([run?.result, run?.reason], ['missed', reasons.tooLate]);
    assert.equal(run?.started_at, null);
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a launch whose start deadline passes while it is looked at is not started', async (t) => {
    const world = await makeHeldWorld(t, engine);
    await addPolicyJob(world, { startDeadlineMs: 2_000 });
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    const { slotId, stripe, launchId, scheduledForMs } = launch;
    const { query } = ChannelConnection.prototype;
    let looks = 0;
    const look = async function (this: ChannelConnection, ...args: Parameters<typeof query>) {
      const answer = await query.apply(this, args);
      const isLook = args[0].startsWith('/* startSlots late */');
      if (isLook) looks += 1;
      if (isLook && looks === 1) await world.clock.pass(2_000);
      return answer;
    };
    t.mock.method(ChannelConnection.prototype, 'query', look as typeof query);
    const start = { kind: 'start', slotId, stripe, launchId } as const;
    const waitUntilMs = launch.startAtMs;
    const request = { ...start, waitUntilMs, startBeforeMs: scheduledForMs + 2_000 };
    assert.deepEqual(await node.ask(request), { verdict: 'early' });
    assert.deepEqual(await node.ask(request), { verdict: 'refused', reason: reasons.tooLate });
    assert.equal(looks, 2);
  });

  test('after so many failures in a row the job is paused in the same transaction', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { failuresMax: 2 });
    const node = await world.join('a');
    await node.finish(await startNext(world, node), failed);
    await node.finish(await startNext(world, node), failed);
    assert.deepEqual(await node.claim(), []);
    const shown = await showJob(world.channel, job.name);
    assert.equal(shown.isPaused, true);
    assert.match(shown.revisions[0].reason ?? '', /2 ticks in a row that failed/);
    await resumeJob(world.channel, job.name);
    await node.finish(await startNext(world, node), failed);
    assert.equal((await showJob(world.channel, job.name)).isPaused, false, 'counted from zero');
    await assertAccounted(world, job.jobId, job.firstMs);
  });

  test('a job that may run twice runs twice, whatever was asked for besides', async (t) => {
    const world = await makeHeldWorld(t, engine);
    const job = await addPolicyJob(world, { runsMax: 2 });
    const node = await world.join('a');
    await node.finish(await startNext(world, node));
    // No tick comes while the request is dealt with.
    await moveCursor(world, '+');
    await runJob(world.channel, job.name, 'by-hand');
    const asked = await startNext(world, node);
    assert.equal(asked.trigger, 'manual');
    await node.finish(asked);
    await moveCursor(world, '-');
    assert.equal((await showJob(world.channel, job.name)).isPaused, false);
    await node.finish(await startNext(world, node));
    const shown = await showJob(world.channel, job.name);
    assert.match(shown.revisions[0].reason ?? '', /2 ticks that ran/);
    await assertAccounted(world, job.jobId, job.firstMs);
  });
});
