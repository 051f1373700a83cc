import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { showRun } from '../../../src/store/runs/showRun.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const by = { actor: 'ann', via: 'api', requestId: 'r1', address: null } as const;

/** A launch of a job with one tick that was requested, and who it is of. */
async function requestOne(world: StoreWorld) {
  const timed = { ...definitionOf('job', { schedule: '@yearly' }), timeoutMs: 60_000 };
  await addJob(world.channel, timed);
  await runJob(world.channel, 'job', 'request-1');
  const waiting = await lifeOf(world, 'request-1');
  const node = await world.join('a');
  const [launch] = await node.claim();
  assert.ok(launch);
  return { launch, node, waiting };
}

/** Phases and marks by name. */
async function lifeOf(world: StoreWorld, id: string) {
  const { life, ...run } = await showRun(world.channel, id);
  const names = life.phases.map(({ name }) => name).join();
  return { run, life, names, marks: new Map(life.marks.map(({ atMs, kind }) => [kind, atMs])) };
}

await forEachEngine((engine) => {
  test('the life of a run is read while it waits, is prepared, runs and has ended', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { launch, node, waiting } = await requestOne(world);
    const { launchId } = launch;
    assert.equal(waiting.names, 'unclaimed');
    // It was claimed after it was due: until then it waited.
    assert.equal((await lifeOf(world, launchId)).names, 'waiting,starting');
    await node.start(launch);
    const running = await lifeOf(world, launchId);
    assert.equal(running.names, 'starting,running');
    const { startedMs } = running.run;
    assert.ok(startedMs !== null && (running.life.atMs ?? 0) >= startedMs);
    assert.equal(running.marks.get('timeout'), startedMs + 60_000);
    world.channel.by = by;
    await stopRun(world.channel, launchId);
    const askedMs = (await lifeOf(world, launchId)).marks.get('stopRequested');
    assert.ok(askedMs !== undefined && askedMs >= startedMs);
    await node.store.writeOutputs([{ launchId, output: Buffer.from('text') }]);
    await node.finish(launch, { result: 'stopped', exitCode: null, signal: 'SIGTERM' });
    const { life, marks, names, run } = await lifeOf(world, launchId);
    assert.equal(names, 'starting,running,finishing');
    assert.deepEqual(
      life.phases.map(({ beginMs, endMs }) => [beginMs, endMs]),
      [
        [run.scheduledForMs, startedMs],
        [startedMs, run.endedMs],
        [run.endedMs, null],
      ],
    );
    // The slot has forgotten the request; the audit log has it.
    assert.ok((marks.get('stopRequested') ?? 0) >= startedMs);
    assert.equal(marks.has('outputWritten'), true);
    assert.equal(marks.has('timeout'), false);
    assert.equal(life.atMs, null);
  });

  test('a lost run has the last renewal of its node, its retry the run before', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { launch, node } = await requestOne(world);
    await node.start(launch);
    const heir = await world.join('b');
    await heir.store.endSession(node.sessionId, 'silent', null);
    await heir.ask({ kind: 'reap', sessionId: node.sessionId, stripes: allStripes });
    const lost = await lifeOf(world, launch.launchId);
    assert.equal(lost.names, 'starting,running,unknown');
    assert.deepEqual([...lost.marks.keys()].sort(), ['nodeLost', 'nodeSeen', 'requested']);
    world.channel.by = by;
    await retryRun(world.channel, launch.launchId);
    const [again] = await heir.claim();
    assert.ok(again);
    await heir.start(again);
    const { life, marks, run } = await lifeOf(world, again.launchId);
    assert.equal(run.attempt, 2);
    assert.equal(marks.get('priorEnded'), lost.run.endedMs);
    assert.equal(marks.get('retryRequested'), life.phases[0]?.beginMs);
  });
});
