import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import {
  definitionOf,
  openChannel,
  revisionsOf,
  runsOf,
} from '../../store/verify/assertAccounted.ts';
import { findTickFaults } from '../../support/everyTick.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { until } from '../../support/until.ts';
import { isMet, makeCutWorld, waitsForStripe } from './lostOrLate.ts';

/** What asks twice by itself, and what must be there once afterwards. */
const changes = {
  pause: { change: (channel: Channel) => pauseJob(channel, 'job'), revisions: 2 },
  resume: { change: (channel: Channel) => resumeJob(channel, 'job'), revisions: 3 },
  edit: {
    change: (channel: Channel) => editJob(channel, 'job', (old) => ({ ...old, command: 'x' })),
    revisions: 2,
  },
  remove: { change: (channel: Channel) => removeJob(channel, 'job'), revisions: 2 },
  run: { change: (channel: Channel) => runJob(channel, 'job', 'request-1'), revisions: 1 },
} as const;

await forEachEngine((engine) => {
  describe('an operator whose COMMIT is late', { concurrency: 4 }, () => {
    for (const [name, { change, revisions }] of Object.entries(changes)) {
      test(`a ${name} that commits after it was given up is done once`, async (t) => {
        const world = await makeCutWorld(t, engine);
        const { jobId } = await addJob(world.channel, definitionOf('job', { schedule: '@yearly' }));
        if (name === 'resume') await pauseJob(world.channel, 'job');
        const armed = world.proxy.arm({ kind: 'request delayed', statement: `${name}Job commit` });
        const changing = change(openChannel(t, world.proxy.url, 2_000));
        await isMet(armed);
        // Its second try can know what became of the first only by waiting for the lock.
        await until('the second try waits', () => waitsForStripe(world));
        armed.release();
        const changed = await changing;
        if ('isChanged' in changed) assert.equal(changed.isChanged, true);
        assert.equal((await revisionsOf(world, jobId)).length, revisions);
        const pending = await world.rows('SELECT request_id FROM pending');
        assert.equal(pending.length, name === 'run' ? 1 : 0);
        assert.deepEqual(await findTickFaults(world.channel), []);
      });
    }

    test('an add that commits after it was given up is told as unknown, yet made', async (t) => {
      const world = await makeCutWorld(t, engine);
      const armed = world.proxy.arm({ kind: 'request delayed', statement: 'addJob commit' });
      const adding = addJob(openChannel(t, world.proxy.url, 1_000), definitionOf('job'));
      const refused = assert.rejects(adding, { code: 'outcome_unknown' });
      await isMet(armed);
      const again = world.proxy.arm({ kind: 'request lost', statement: '/* addJob' });
      await refused;
      again.cancel();
      assert.equal(await again.hit, false, 'it is not asked for again: who would have made it?');
      assert.deepEqual(await world.rows('SELECT name FROM job'), []);
      armed.release();
      await armed.settled;
      const repeated = addJob(world.channel, definitionOf('job'));
      await assert.rejects(repeated, { code: 'job_exists' });
      assert.equal((await world.rows('SELECT slot_id FROM slot')).length, 1);
    });

    test('a stop that commits after it was given up withdraws one launch, once', async (t) => {
      const world = await makeCutWorld(t, engine);
      const jobId = await world.addDue('job');
      const [launch] = await (await world.join('node')).claim(1);
      assert.ok(launch);
      const armed = world.proxy.arm({ kind: 'request delayed', statement: 'stopRun commit' });
      const stopping = stopRun(openChannel(t, world.proxy.url, 2_000), launch.launchId);
      await isMet(armed);
      await until('the second try waits', () => waitsForStripe(world));
      armed.release();
      assert.equal(await stopping, 'withdrawn');
      const runs = await runsOf(world, jobId);
      assert.deepEqual(
        runs.map((run) => [run.result, run.launch_id]),
        [['stopped', launch.launchId]],
      );
      assert.deepEqual(await findTickFaults(world.channel), []);
    });
  });
});
