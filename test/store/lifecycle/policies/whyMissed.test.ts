import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobDefinition } from '../../../../src/domain/job/jobDefinition.ts';
import type { JobPolicies } from '../../../../src/domain/job/jobPolicies.ts';
import { changeLimit } from '../../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../../src/store/jobs/changes/addJob.ts';
import { editJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { forEachEngine } from '../../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../../support/storeWorld.ts';
import type { TestNode } from '../../../support/testNode.ts';
import { definitionOf, runsOf } from '../../verify/assertAccounted.ts';
import { addPolicyJob } from './policyJob.ts';

interface Case {
  readonly name: string;
  readonly policies?: JobPolicies & { readonly group?: string };
  readonly isEdited?: true;
  /** Has the ticks of half a minute missed; resolves to the node that comes to them. */
  readonly miss: (world: StoreWorld, a: TestNode) => Promise<TestNode>;
  readonly says: string;
}

/** What nodes were there is told as if they had been so for a minute. */
const cases: readonly Case[] = [
  {
    name: 'of which the group of the job was full',
    policies: { group: 'G' },
    miss: async (_world, a) => a,
    says: "the limit of the job's group was reached",
  },
  {
    name: 'for which no label was there',
    policies: { target: { labels: ['gpu'] } },
    miss: (world) => world.join('b', { facts: { labels: ['gpu'] } }),
    says: 'no live node may run it',
  },
  {
    name: 'that a node could have taken',
    miss: async (_world, a) => a,
    says: 'no node could take it in time',
  },
  {
    name: 'that a node could have taken, by an edit',
    isEdited: true,
    miss: async (_world, a) => a,
    says: 'no node could take it in time',
  },
  {
    name: 'after the end of the only node',
    miss: async (world) => {
      await world.rows(`UPDATE session SET state = 'ended', ended_at = NOW(3), reaped_at = NOW(3),
        renewed_at = NOW(3) - INTERVAL 40 SECOND`);
      return world.join('b');
    },
    says: 'no node was there for it',
  },
  {
    name: 'of a node of its own that was away',
    policies: { kind: 'every-node' },
    miss: async (world) => {
      await world.rows("UPDATE slot SET node_name = 'b' WHERE job_id = 2");
      return world.join('b');
    },
    says: 'no node was there for it',
  },
];

await forEachEngine((engine) => {
  test('ticks that were missed say what kept the nodes from them', async (t) => {
    const found = cases.map(async ({ isEdited, miss, name, policies = {} }) => {
      const world = await makeReusedWorld(t, engine);
      const { channel, rows } = world;
      await changeLimit(channel, 'G', 1);
      const yearly = { schedule: '0 0 1 1 *', group: 'G', format: 3 } as const;
      await addJob(channel, definitionOf('holder', yearly));
      const a = await world.join('a');
      await rows('UPDATE slot SET cursor_at = NOW(3), next_run_at = NOW(3)');
      const [held] = await a.claim();
      assert.ok(held, name);
      await rows('UPDATE session SET started_at = NOW(3) - INTERVAL 1 MINUTE');
      const { jobId, name: missing } = await addPolicyJob(world, policies, -30_000);
      if (policies.group !== undefined) assert.deepEqual(await a.claim(), [], name);
      await a.start(held);
      await a.finish(held);
      const taker = await miss(world, a);
      const edit = (job: JobDefinition) => ({ ...job, command: 'false' });
      if (isEdited === true) await editJob(channel, missing, edit);
      else await taker.claim();
      const [missed] = await runsOf(world, jobId);
      return { name, result: missed?.result, says: missed?.reason };
    });
    const wanted = cases.map(({ name, says }) => ({ name, result: 'missed', says }));
    assert.deepEqual(await Promise.all(found), wanted);
  });
});
