import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { editJob, pauseJob, removeJob } from '../../src/store/jobs/changes/changeJob.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { until, within } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';

const changes = {
  paused: pauseJob,
  edited: (channel: Parameters<typeof pauseJob>[0], name: string) =>
    editJob(channel, name, (definition) => ({ ...definition, command: 'echo new' })),
  removed: removeJob,
} as const;

describe('changes of a prepared job', { concurrency: true }, () => {
  for (const [word, change] of Object.entries(changes)) {
    test(`nothing of the old revision starts of a job ${word} while it is prepared`, async (t) => {
      const world = await makeActorWorld(t);
      const tickMs = await world.addOnce('job', 15);
      await world.addOnce('witness', 16);
      const node = world.node('a');
      const launch = await until('the claim', () =>
        node.adopted.find(({ definition }) => definition.name === 'job'),
      );
      await change(world.channel, 'job');
      // The witness is due a second later, so the time of the old launch has come and gone.
      await until('the witness ran', () => world.ledger.of('witness').length === 1);
      await until('the roster is empty', () => node.running.roster.size === 0);
      if (word === 'edited') await until('it ran', () => world.ledger.of('job').length > 0);
      const ran = world.ledger.of('job');
      assert.ok(ran.every((entry) => entry.launch.launchId !== launch.launchId));
      assert.deepEqual(
        ran.map((entry) => [entry.launch.revision, entry.launch.scheduledForMs]),
        word === 'edited' ? [[2, tickMs]] : [],
      );
      await world.requireSound();
    });
  }

  test('a run whose process begins after the answer to a pause was told by it', async (t) => {
    const world = await makeActorWorld(t);
    await world.addOnce('job', 4);
    const proxy = await startCutProxy(world.scope, world.url);
    const node = world.node('a', { url: proxy.url });
    await within('the claim', node.firstAdopted);
    // Its start is committed, and nobody has said so to the node yet.
    const answer = await proxy.holdAt('/* commitBatch commit */');
    const { executing, revision } = await pauseJob(world.channel, 'job');
    assert.deepEqual([executing, world.ledger.of('job').length], [1, 0]);
    answer();
    await until('it began', () => world.ledger.of('job').length === 1);
    await until('its run', async () => (await world.runs('job')).length === 1);
    assert.equal((await pauseJob(world.channel, 'job')).executing, 0);
    const [run] = await world.runs('job');
    const [pause] = await world.rows('SELECT in_force_from FROM job_revision WHERE revision = ?', [
      revision,
    ]);
    assert.deepEqual([run?.revision, run?.started_at <= pause?.in_force_from], [1, true]);
    await world.requireSound();
  });

  test('a launch that was taken back leaves the roster before its tick', async (t) => {
    const world = await makeActorWorld(t);
    const tickMs = await world.addOnce('job', 240);
    const node = world.node('a', { horizonMs: 300_000 });
    await until('the claim', () => node.running.roster.size === 1);
    await pauseJob(world.channel, 'job');
    await until('the roster is empty', () => node.running.roster.size === 0, 120_000);
    const [clock] = await world.rows('SELECT NOW(3) AS at');
    assert.ok(clock?.at.getTime() < tickMs);
    await world.requireSound();
  });

  test('a pause between starts of a job of every second ends them at once', async (t) => {
    const world = await makeActorWorld(t);
    await world.add('job', '* * * * * *');
    world.node('a');
    world.node('b');
    await until('three runs', () => world.ledger.of('job').length >= 3);
    await pauseJob(world.channel, 'job');
    const [paused] = await world.rows('SELECT MAX(in_force_from) AS at FROM job_revision');
    await delay(2_500); // two ticks that must not come: there is no event to wait for
    const started = (await world.runs('job')).filter(({ started_at }) => started_at !== null);
    assert.ok(started.length >= 3);
    assert.ok(started.every(({ started_at }) => started_at <= paused?.at));
    await world.requireSound();
  });
});
