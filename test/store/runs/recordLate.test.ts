import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { findLaunches, recordLate } from '../../../src/store/runs/recordLate.ts';
import { readOutput } from '../../../src/store/runs/showRun.ts';
import { asReason } from '../../support/asReason.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { succeeded } from '../../support/testNode.ts';

/** A launch that was executing when its session ended, and the slot claimed anew by another. */
async function loseOne(
  world: StoreWorld,
  jobName: string,
  schedule = '0 0 1 1 *',
): Promise<Launch> {
  await world.addJob(jobName, { schedule });
  const victim = await world.join(`victim of ${jobName}`);
  const launch = (await victim.claim()).find(({ definition }) => definition.name === jobName);
  assert.ok(launch);
  assert.deepEqual(await victim.start(launch), { verdict: 'done' });
  await victim.store.endSession(victim.sessionId, 'test', null);
  return launch;
}

async function reapAll(world: StoreWorld, launch: Launch) {
  const heir = await world.join(`heir of ${launch.launchId}`);
  const sessionId = launch.launchId.split(':')[0] ?? '';
  const reaped = await heir.ask({ kind: 'reap', sessionId, stripes: allStripes });
  assert.ok(typeof reaped === 'object' && reaped.verdict === 'reaped' && reaped.slots === 1);
  return heir;
}

const output = new TextEncoder().encode('what it said');
const execution = {
  ...succeeded,
  result: 'failed',
  exitCode: 7,
  reason: asReason('Because.'),
  output,
  outputBytes: 12,
} as const;

await forEachEngine((engine) => {
  test('a lost run is completed once, with its output, and no slot is touched', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const launch = await loseOne(world, 'job', '* * * * * *');
    const { launchId } = launch;
    const late = { launchId, execution, endedMs: null };
    assert.equal((await recordLate(world.channel, late)).outcome, 'refused', 'not lost yet');
    const heir = await reapAll(world, launch);
    const [next] = await heir.claim();
    assert.ok(next);
    const before = await world.rows('SELECT * FROM slot');
    const recorded = await recordLate(world.channel, late);
    assert.deepEqual(recorded, { outcome: 'committed', value: 'job' }, 'with the name of its job');
    const again = { ...late, execution: succeeded };
    assert.equal((await recordLate(world.channel, again)).outcome, 'refused');
    const [run] = await world.rows('SELECT * FROM run WHERE launch_id = ?', [launchId]);
    assert.deepEqual(
      [run?.result, run?.exit_code, run?.output_bytes, run?.is_final],
      ['failed', 7, 12, 1],
    );
    assert.equal(run?.reason, 'Because. Its node was lost; the result was recorded late.');
    assert.deepEqual(await readOutput(world.channel, launchId), Buffer.from(output));
    assert.deepEqual(await world.rows('SELECT * FROM slot'), before);
    const ofLaunches = await world.rows('SELECT * FROM run WHERE launch_id IS NOT NULL');
    assert.equal(ofLaunches.length, 1, 'ticks that were passed meanwhile have rows of their own');
  });

  test('the end of a late run is what its host saw, within its start and now', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const [name, seenInMs] of [
      ['before', -3_600_000],
      ['within', 0],
      ['ahead', 3_600_000],
    ] as const) {
      const launch = await loseOne(world, name);
      await reapAll(world, launch);
      const { launchId } = launch;
      const run = async () =>
        (
          await world.rows('SELECT *, NOW(3) AS now_at FROM run WHERE launch_id = ?', [launchId])
        )[0];
      const startedMs = (await run())?.started_at.getTime();
      const endedMs = startedMs + seenInMs;
      const late = { launchId, execution: succeeded, endedMs };
      assert.equal((await recordLate(world.channel, late)).outcome, 'committed');
      const told = await run();
      const toldMs = told?.ended_at.getTime();
      if (name === 'ahead') assert.ok(toldMs > startedMs && toldMs <= told?.now_at.getTime());
      else assert.equal(toldMs, startedMs);
    }
  });

  test('where a launch is: held, lost, ended, nowhere', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const lost = await loseOne(world, 'lost');
    const heir = await reapAll(world, lost);
    await world.addJob('ended', { schedule: '0 0 1 1 *' });
    const [ended] = (await heir.claim()).filter(({ definition }) => definition.name === 'ended');
    assert.ok(ended);
    await heir.start(ended);
    await heir.finish(ended);
    await heir.store.endSession(heir.sessionId, 'test', null);
    const held = await loseOne(world, 'held');
    const [runs, slots] = [
      await world.rows('SELECT * FROM run ORDER BY run_id'),
      await world.rows('SELECT * FROM slot'),
    ];
    const ids = [lost.launchId, ended.launchId, held.launchId, 's0:1'];
    const places = await findLaunches(world.channel, ids);
    assert.deepEqual(
      ids.map((launchId) => places.get(launchId) ?? 'nowhere'),
      ['lost', 'ended', 'held', 'nowhere'],
    );
    assert.deepEqual(await world.rows('SELECT * FROM run ORDER BY run_id'), runs);
    assert.deepEqual(await world.rows('SELECT * FROM slot'), slots);
    assert.equal((await findLaunches(world.channel, [])).size, 0);
  });
});
