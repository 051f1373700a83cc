import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel, revisionsOf, slotOf } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  for (const cut of ['request lost', 'reply lost'] as const) {
    test(`a pause whose COMMIT is cut (${cut}) is done once`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const { jobId } = await addJob(world.channel, definitionOf('cut'));
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* pauseJob commit */', cut);
      const changed = await pauseJob(openChannel(t, proxy.url), 'cut');
      await wasCut;
      assert.equal(changed.isChanged, true);
      assert.equal((await revisionsOf(world, jobId)).length, 2);
    });

    test(`an edit whose COMMIT is cut (${cut}) makes one revision`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const { jobId } = await addJob(world.channel, definitionOf('cut'));
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* editJob commit */', cut);
      const edited = await editJob(openChannel(t, proxy.url), 'cut', (old) => {
        return { ...old, command: 'echo new' };
      });
      await wasCut;
      assert.deepEqual([edited.isChanged, edited.revision], [true, 2]);
      assert.equal((await revisionsOf(world, jobId)).length, 2);
    });

    test(`a removal whose COMMIT is cut (${cut}) is told as done`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      await addJob(world.channel, definitionOf('cut'));
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* removeJob commit */', cut);
      assert.equal((await removeJob(openChannel(t, proxy.url), 'cut')).isChanged, true);
      await wasCut;
      const [job] = await world.rows('SELECT removed_no, job_id FROM job');
      assert.equal(job?.removed_no, job?.job_id);
    });

    test(`a run asked for whose COMMIT is cut (${cut}) is asked for once`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const { jobId } = await addJob(world.channel, definitionOf('cut', { schedule: '@manual' }));
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* runJob commit */', cut);
      await runJob(openChannel(t, proxy.url), 'cut', 'once');
      await wasCut;
      assert.equal((await world.rows('SELECT * FROM pending')).length, 1);
      assert.ok((await slotOf(world, jobId)).next_run_at);
    });

    test(`an add whose COMMIT is cut (${cut}) is told as unknown, with how to look`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* addJob commit */', cut);
      const adding = addJob(openChannel(t, proxy.url), definitionOf('cut'));
      await assert.rejects(adding, (error: { code: string; exitCode: number; hint: string }) => {
        assert.deepEqual([error.code, error.exitCode], ['outcome_unknown', 75]);
        assert.match(error.hint, /statecron job show cut/);
        return true;
      });
      await wasCut;
      const jobs = await world.rows('SELECT job_id FROM job');
      assert.equal(jobs.length, cut === 'reply lost' ? 1 : 0);
    });
  }
});
