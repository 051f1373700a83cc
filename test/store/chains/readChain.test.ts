import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upstream } from '../../../src/domain/job/fieldTable/upstream.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { type ChainSide, chainBounds, readChain } from '../../../src/store/chains/readChain.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';

function add({ channel }: StoreWorld, name: string, upstreams: string[] = [], group?: string) {
  const base: JobDefinition = { ...jobDefaults, name, schedule: '@manual', command: 'true' };
  const after = upstreams.map((job): Upstream => ({ job, on: 'success' }));
  const chained = after.length === 0 ? {} : { after, format: 3 };
  return addJob(channel, { ...base, ...chained, ...(group && { group, format: 3 }) });
}

const shown = ({ jobs, left }: ChainSide) => [
  ...jobs.map(({ by, job, left: more }) => `${by} > ${job.name}${more > 0 ? ` +${more}` : ''}`),
  ...(left > 0 ? [`+${left}`] : []),
];

await forEachEngine((engine) => {
  test('a chain is read both ways, and what is reached twice is followed up once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'fetch');
    await add(world, 'clean', ['fetch']);
    await add(world, 'check', ['fetch']);
    await add(world, 'load', ['clean', 'check']);
    await add(world, 'report', ['load']);
    const fetch = await readChain(world.channel, 'fetch');
    assert.deepEqual(shown(fetch.upstreams), []);
    assert.deepEqual(shown(fetch.followers), [
      ...['fetch > clean', 'fetch > check', 'check > load', 'clean > load', 'load > report'],
    ]);
    const report = await readChain(world.channel, 'report');
    assert.deepEqual(shown(report.upstreams), [
      ...['report > load', 'load > check', 'load > clean', 'check > fetch', 'clean > fetch'],
    ]);
    await assert.rejects(readChain(world.channel, 'nobody'), { code: 'job_missing' });
  });

  test('a long or wide chain is cut, and says how much is left', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'level-0');
    for (let level = 1; level <= chainBounds.levelsMax + 1; level += 1) {
      await add(world, `level-${level}`, [`level-${level - 1}`]);
    }
    const deep = await readChain(world.channel, 'level-0');
    const last = `level-${chainBounds.levelsMax - 1} > level-${chainBounds.levelsMax} +1`;
    assert.equal(shown(deep.followers).at(-1), last);

    await add(world, 'wide');
    for (let each = 0; each < chainBounds.nextMax; each += 1) {
      await add(world, `follower ${each}`, ['wide']);
      for (const more of ['a', 'b', 'c', 'd', 'e']) {
        await add(world, `${each}${more}`, [`follower ${each}`]);
      }
    }
    for (const name of ['more', 'and more']) await add(world, name, ['wide']);
    const { followers } = await readChain(world.channel, 'wide');
    assert.deepEqual([followers.jobs.length, followers.left], [chainBounds.jobsMax, 2]);
    const left = followers.jobs.map((job) => job.left).filter((count) => count > 0);
    assert.deepEqual(left, [5, 5]);
  });

  test('a job of another group is not shown, and neither is what is behind it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await add(world, 'ours', [], 'a');
    await add(world, 'theirs', ['ours'], 'b');
    await add(world, 'behind', ['theirs'], 'a');
    await add(world, 'too', ['ours'], 'a');
    world.channel.by = { actor: 'token', groups: ['a'] } as never;
    const { followers } = await readChain(world.channel, 'ours');
    assert.deepEqual(shown(followers), ['ours > too', '+1']);
  });
});
