import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { listJobs } from '../../../src/store/jobs/listJobs.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import {
  assertAccounted,
  definitionOf,
  openChannel,
  revisionsOf,
  runsOf,
  slotOf,
} from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  test('a new job is idle and due at its first tick from now on', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const added = await addJob(world.channel, definitionOf('new'));
    const slot = await slotOf(world, added.jobId);
    assert.equal(slot.state, 'idle');
    assert.equal(slot.stripe, stripeOfJob(added.jobId));
    assert.equal(slot.cursor_at.getTime(), Math.ceil(added.inForceFromMs / 1000) * 1000);
    assert.equal(slot.next_run_at.getTime(), added.nextRunMs);
    const [revision, ...others] = await revisionsOf(world, added.jobId);
    assert.equal(others.length, 0);
    assert.equal(revision?.in_force_from.getTime(), added.inForceFromMs);
    assert.deepEqual(JSON.parse(revision?.definition), definitionOf('new'));
  });

  test('a taken name is refused and nothing is written, also when ten ask at once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const asked = Array.from({ length: 10 }, () =>
      addJob(openChannel(t, world.url), definitionOf('one')),
    );
    const answers = await Promise.allSettled(asked);
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const answer of answers) {
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'job_exists');
    }
    const counts = await world.rows(`SELECT (SELECT COUNT(*) FROM job) AS jobs,
      (SELECT COUNT(*) FROM job_revision) AS revisions, (SELECT COUNT(*) FROM slot) AS slots`);
    assert.deepEqual({ ...counts[0] }, { jobs: 1, revisions: 1, slots: 1 });
  });

  test('names that differ in case or accent are different jobs', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['backup', 'Backup', 'Bäckup']) {
      await addJob(world.channel, definitionOf(name));
    }
    const names: string[] = [];
    for await (const { name } of listJobs(world.channel, { text: 'ack', jobsMax: 10 })) {
      names.push(name);
    }
    assert.deepEqual(names, ['Backup', 'backup']);
  });

  test('an edit of an idle job keeps the last unclaimed tick and misses the others', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobId = await world.addJob('late', { dueInMs: -10_000 });
    const firstMs = (await slotOf(world, jobId)).cursor_at.getTime();
    const changed = await editJob(world.channel, 'late', (old) => ({ ...old, command: 'false' }));
    const [run, ...others] = await runsOf(world, jobId);
    assert.equal(others.length, 0);
    assert.equal(run?.result, 'missed');
    assert.equal(run?.revision, 1);
    const slot = await slotOf(world, jobId);
    const keptMs = slot.cursor_at.getTime();
    assert.ok(keptMs < changed.inForceFromMs && keptMs >= changed.inForceFromMs - 1_000);
    assert.equal(slot.next_run_at.getTime(), keptMs);
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.equal(launch?.revision, 2, 'it runs under the new revision');
    assert.ok(launch !== undefined && (await node.start(launch)));
    await node.finish(launch);
    await assertAccounted(world, jobId, firstMs);
  });

  test('a pause skips what nobody claimed, and a resume makes up for nothing', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobId = await world.addJob('late', { dueInMs: -10_000 });
    const firstMs = (await slotOf(world, jobId)).cursor_at.getTime();
    await pauseJob(world.channel, 'late');
    const [run, ...others] = await runsOf(world, jobId);
    assert.deepEqual(
      [run?.result, run?.reason, others.length],
      ['skipped', 'the job was paused', 0],
    );
    const paused = await slotOf(world, jobId);
    assert.deepEqual([paused.cursor_at, paused.next_run_at], [null, null]);
    await assertAccounted(world, jobId, firstMs);

    const resumed = await resumeJob(world.channel, 'late');
    const slot = await slotOf(world, jobId);
    assert.ok(slot.cursor_at.getTime() >= resumed.inForceFromMs);
    assert.equal((await runsOf(world, jobId)).length, 1);
    await assertAccounted(world, jobId, firstMs);
  });

  test('a change that changes nothing makes no revision', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('same'));
    assert.equal((await editJob(world.channel, 'same', (old) => ({ ...old }))).isChanged, false);
    assert.equal((await resumeJob(world.channel, 'same')).isChanged, false);
    await pauseJob(world.channel, 'same');
    assert.equal((await pauseJob(world.channel, 'same')).isChanged, false);
    assert.equal((await revisionsOf(world, jobId)).length, 2);
  });

  test('revisions follow each other without gap or overlap, however fast they come', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('busy'));
    for (let number = 0; number < 10; number += 1) {
      await editJob(world.channel, 'busy', (old) => ({ ...old, command: `true ${number}` }));
    }
    const revisions = await revisionsOf(world, jobId);
    assert.equal(revisions.length, 11);
    for (const [index, { in_force_from, in_force_until }] of revisions.entries()) {
      const next = revisions[index + 1];
      assert.deepEqual(in_force_until, next === undefined ? null : next.in_force_from);
      if (in_force_until !== null) assert.ok(in_force_from < in_force_until);
    }
  });

  test('an edit that throws leaves everything as it was', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { jobId } = await addJob(world.channel, definitionOf('kept'));
    const fails = editJob(world.channel, 'kept', () => {
      throw new RangeError('no');
    });
    await assert.rejects(fails, RangeError);
    assert.equal((await revisionsOf(world, jobId)).length, 1);
    await pauseJob(world.channel, 'kept');
  });

  test('a removed job gives its name free, keeps its history and has no slot', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobId = await world.addJob('gone', { dueInMs: -5_000 });
    const firstMs = (await slotOf(world, jobId)).cursor_at.getTime();
    const removed = await removeJob(world.channel, 'gone');
    assert.equal((await world.rows('SELECT * FROM slot')).length, 0);
    await assertAccounted(world, jobId, firstMs);
    for (const revision of await revisionsOf(world, jobId)) {
      assert.ok(revision.in_force_until.getTime() <= removed.inForceFromMs);
    }
    await assert.rejects(showJob(world.channel, 'gone'), { code: 'job_missing', exitCode: 1 });
    await assert.rejects(removeJob(world.channel, 'gone'), { code: 'job_missing' });
    const again = await addJob(world.channel, definitionOf('gone'));
    assert.notEqual(again.jobId, jobId);
    await removeJob(world.channel, 'gone');
  });
});
