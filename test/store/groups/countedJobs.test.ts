import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import type { Target } from '../../../src/domain/job/jobPolicies.ts';
import { readCluster } from '../../../src/store/cluster/clusterView.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit, listLimits } from '../../../src/store/groups/changeLimit.ts';
import { listGroups, showGroup } from '../../../src/store/groups/listGroups.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { findUnrunnableJobs } from '../../../src/store/targeting/unrunnableJobs.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { insertJobs } from '../../support/insertJobs.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  test('jobs are counted that name a group, and that no node may run', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    const add = (name: string, target: Target) =>
      addJob(channel, withLowestFormat(definitionOf(name, { target })));
    await changeGroup(channel, 'db', () => ['b']);
    await changeGroup(channel, 'web', () => ['a', 'b']);
    await world.join('a');
    for (const name of ['in1', 'in2', 'gone', 'resting']) await add(name, { groups: ['web'] });
    await add('not', { excludeGroups: ['web'], nodes: ['c'] });
    await add('both', { groups: ['db', 'web'] });
    for (const name of ['away', 'paused']) await add(name, { groups: ['db'] });
    await add('plain', {});
    await removeJob(channel, 'gone');
    await pauseJob(channel, 'resting');
    await pauseJob(channel, 'paused');
    const counts = (await listGroups(channel)).map(({ group, jobs }) => [group, jobs]);
    assert.deepEqual(counts, [
      ['db', 3],
      ['web', 5],
    ]);
    const { jobs, names, targetIds } = await findUnrunnableJobs(channel);
    assert.deepEqual([jobs, names, targetIds.length], [2, ['away', 'not'], 2]);
  });

  test('beside jobs that name no group nothing more is read to count those that do', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const target = { groups: ['web'] };
    await changeGroup(world.channel, 'web', () => ['a']);
    await world.join('a');
    await addJob(world.channel, withLowestFormat(definitionOf('one', { target })));
    await addJob(world.channel, withLowestFormat(definitionOf('other', { group: 'g' })));
    const looks = [listGroups, findUnrunnableJobs];
    const readByEach = async () => {
      const reads: number[] = [];
      for (const look of looks) reads.push(await rowsRead(world, () => look(world.channel)));
      return reads;
    };
    const few = await readByEach();
    for (const targetId of ['0', "(SELECT target_id FROM target WHERE job_group = 'g')"]) {
      await world.rows(`INSERT INTO job (name, revision, created_at, target_id)
        WITH RECURSIVE each_one (no) AS
          (SELECT 1 UNION ALL SELECT no + 1 FROM each_one WHERE no < 900)
        SELECT CONCAT(${targetId}, '-', no), 1, NOW(3), ${targetId} FROM each_one`);
    }
    await world.rows('ANALYZE TABLE job, target');
    const many = await readByEach();
    for (const [look, reads] of many.entries()) {
      assert.ok(
        reads <= (few[look] ?? 0) + 20,
        `${looks[look]?.name}: ${reads} rows, ${few[look]}`,
      );
    }
  });

  test('of many jobs of a group no more are read than are counted', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await changeGroup(channel, 'web', () => ['gone']);
    await changeLimit(channel, 'g', 1);
    const fields = { group: 'g', target: { groups: ['web'] } };
    await addJob(channel, withLowestFormat(definitionOf('0 first', fields)));
    const [row] = await world.rows('SELECT target_id FROM job');
    await insertJobs(world, 300, Number(row?.target_id));
    await world.rows('ANALYZE TABLE job, target');
    const last = definitionOf('last', { target: { nodes: ['gone'] } });
    await addJob(channel, withLowestFormat(last));
    await world.join('here');
    const counts = async (list: typeof listGroups | typeof listLimits) => {
      for (const { jobs } of await list(channel)) assert.equal(jobs, 10_000);
    };
    // Those that are counted pass through a table of their own; the names are looked up besides.
    assert.ok((await rowsRead(world, () => counts(listGroups))) < 25_000);
    assert.ok((await rowsRead(world, () => counts(listLimits))) < 25_000);
    const unrunnable = () => findUnrunnableJobs(channel);
    assert.ok((await rowsRead(world, unrunnable)) < 55_000);
    assert.equal((await unrunnable()).jobs, 10_000);
    const { jobNames } = await showGroup(channel, 'web', 1);
    const { names, targetIds } = await findUnrunnableJobs(channel, 1);
    assert.deepEqual([jobNames, names, targetIds.length], [['0 first'], ['0 first'], 2]);
    await assert.rejects(
      changeGroup(channel, 'web', () => null),
      /At least 10000 jobs name/,
    );
    const { jobWarnings } = await readCluster(channel, { endedWithinMs: 0, sessionsMax: 1 });
    assert.match(jobWarnings.join(), /no live node may run 0 first, .* and at least 9995 more/);
  });
});
