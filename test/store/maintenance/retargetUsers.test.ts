import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { holdStripes } from '../../actors/holdStripes.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

/** As a release writes them that does not put users into targets. */
const makeOld = [
  "INSERT INTO target (target_hash, target, definition_format) VALUES ('old', '{}', 3)",
  "UPDATE job SET target_id = (SELECT target_id FROM target WHERE target_hash = 'old')",
  "UPDATE slot SET target_id = (SELECT target_id FROM target WHERE target_hash = 'old')",
];

await forEachEngine((engine) => {
  test('jobs of an earlier release are left to nodes that allow their user', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [strict, open] = [
      await world.join('strict', { facts: { users: [] } }),
      await world.join('open', { facts: { users: ['backup'] } }),
    ];
    const add = async (name: string, fields: Partial<JobDefinition>) => {
      const { jobId } = await addJob(
        world.channel,
        definitionOf(name, { schedule: '* * * * * *', format: 3, ...fields }),
      );
      return jobId;
    };
    const first = await add('first', { user: 'backup' });
    await add('every', { user: 'backup', kind: 'every-node' });
    await add('plain', { env: { user: 'backup' } });
    for (const statement of makeOld) await world.rows(statement);
    await world.rows('UPDATE targeting_version SET version = version + 1');
    const slots = async () => {
      const found = await world.rows(`SELECT name, node_name FROM slot JOIN job USING (job_id)
        ORDER BY name, node_name`);
      return found.map(({ name, node_name: node }) => `${name} ${node}`);
    };
    while (!(await strict.store.ensureNodeSlots()));
    assert.deepEqual(await slots(), ['every open', 'every strict', 'first ', 'plain ']);
    const release = await holdStripes({ url: world.url, scope: t }, [stripeOfJob(first)]);
    assert.equal(await strict.store.runMaintenance(), 1, 'the other is held');
    await release();
    assert.equal(await strict.store.runMaintenance(), 1);
    assert.equal(await open.store.runMaintenance(), 0, 'it has been done');
    while (!(await strict.store.ensureNodeSlots()));
    assert.deepEqual(await slots(), ['every open', 'first ', 'plain ']);
    await world.rows('UPDATE slot SET cursor_at = NOW(3), next_run_at = NOW(3)');
    const claimed = async (node: typeof open) =>
      (await node.claim()).map(({ definition }) => definition.name).sort();
    assert.deepEqual(await claimed(strict), ['plain']);
    assert.deepEqual(await claimed(open), ['every', 'first']);
  });
});
