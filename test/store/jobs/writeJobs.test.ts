import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { StepToDo } from '../../../src/domain/jobFile/planApply.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { writeJobs } from '../../../src/store/jobs/changes/writeJobs.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel } from '../verify/assertAccounted.ts';

const daily = { schedule: '@daily' };

function add(name: string, changes: Partial<JobDefinition> = {}): StepToDo {
  const definition = definitionOf(name, { ...daily, ...changes });
  return { action: 'add', job: name, wanted: { define: () => definition } };
}

function edit(name: string, changes: Partial<JobDefinition>): StepToDo {
  const define = (current: JobDefinition | null) => ({
    ...definitionOf(name),
    ...current,
    ...changes,
  });
  return { action: 'edit', job: name, wanted: { define } };
}

const remove = (name: string): StepToDo => ({ action: 'remove', job: name, wanted: null });

/** What there is, as `name: command` of each job that is in force. */
async function jobsOf(world: StoreWorld): Promise<string[]> {
  const rows = await world.rows(`SELECT job.name, job_revision.definition FROM job
    JOIN job_revision ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
    WHERE job.removed_no = 0 ORDER BY job.name`);
  return rows.map(({ name, definition }) => `${name}: ${JSON.parse(definition).command}`);
}

const steps = [
  add('new 2', { parallel: 2, target: { nodes: ['n'] }, format: 3 }),
  add('new 1', { after: [{ job: 'new 2', on: 'success' }] }),
  add('every', { kind: 'every-node' }),
  edit('old', { command: 'echo new' }),
  remove('gone'),
];
const before = ['gone: true', 'old: true'];
const after = ['every: true', 'new 1: true', 'new 2: true', 'old: echo new'];

await forEachEngine((engine) => {
  test('a list of jobs that is cut anywhere is written as a whole or not at all', async (t) => {
    const cuts = [
      ['/* writeJobs revision */', 'reply lost'],
      ['/* createNodeSlots */', 'request lost'],
      ['/* changeJob close */', 'reply lost'],
      ['/* removeJob */', 'reply lost'],
      ['/* writeJobs commit */', 'request lost'],
      ['/* writeJobs commit */', 'reply lost'],
    ] as const;
    for (const [statement, cut] of cuts) {
      const world = await makeReusedWorld(t, engine);
      for (const name of ['old', 'gone']) await addJob(world.channel, definitionOf(name, daily));
      await world.join('n');
      const proxy = await startCutProxy(t, world.url);
      const channel = openChannel(t, proxy.url);
      const gone = proxy.cutAt(statement, cut).then(() => {
        // As if the command were killed: nothing is tried again.
        proxy.vanish();
        return channel.close();
      });
      await assert.rejects(writeJobs(channel, steps));
      await gone;
      const isDone = statement.includes('commit') && cut === 'reply lost';
      assert.deepEqual(await jobsOf(world), isDone ? after : before, `${statement} ${cut}`);
    }
  });

  test('a list of jobs whose COMMIT is cut is written once', async (t) => {
    for (const cut of ['request lost', 'reply lost'] as const) {
      const world = await makeReusedWorld(t, engine);
      for (const name of ['old', 'gone']) await addJob(world.channel, definitionOf(name, daily));
      await world.join('n');
      const proxy = await startCutProxy(t, world.url);
      const wasCut = proxy.cutAt('/* writeJobs commit */', cut);
      await writeJobs(openChannel(t, proxy.url), steps);
      await wasCut;
      assert.deepEqual(await jobsOf(world), after, cut);
      const { findings } = await verifyDatabase(world.channel);
      assert.deepEqual(findings, []);
      const audited = await world.rows('SELECT action, target FROM audit_log ORDER BY target');
      assert.deepEqual(
        audited.map(({ action, target }) => `${action} ${target}`),
        ['job.add every', 'job.remove gone', 'job.add new 1', 'job.add new 2', 'job.edit old'],
      );
    }
  });

  test('a name that somebody took meanwhile leaves nothing of the list', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, definitionOf('b'));
    const writing = writeJobs(world.channel, [add('a'), add('b'), add('c')]);
    await assert.rejects(writing, { code: 'job_exists', message: /"b"/ });
    const missing = writeJobs(world.channel, [add('a'), edit('none', {})]);
    await assert.rejects(missing, { code: 'job_missing' });
    assert.deepEqual(await jobsOf(world), ['b: true']);
  });

  test('a list takes its statements by hundreds of jobs, and not by jobs', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    // More than there are stripes, each of which takes statements of its own.
    const write = async (jobs: number, name: string): Promise<number> => {
      const numbers = Array.from({ length: jobs }, (_, number) => number);
      const list = numbers.map((number) =>
        add(`${name} ${number}`, {
          ...(number === 0 ? {} : { after: [{ job: `${name} ${number - 1}`, on: 'success' }] }),
          ...{ group: `group ${number % 3}`, format: 3 },
        }),
      );
      const before = channel.statements;
      await writeJobs(channel, list);
      return channel.statements - before;
    };
    await write(1, 'first');
    const few = await write(100, 'few');
    const many = await write(1_000, 'many');
    assert.ok(many <= few + 10, `${few} statements for 100 jobs, ${many} for 1,000`);
    const [found] = await world.rows(`SELECT COUNT(*) AS links FROM chain_link
      JOIN job ON job.job_id = chain_link.job_id
      JOIN job AS other ON other.name = chain_link.upstream`);
    assert.equal(Number(found?.links), 99 + 999);
    const { findings } = await verifyDatabase(channel);
    assert.deepEqual(findings, []);
  });

  test('a list with jobs that follow each other in a circle is refused', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const after = (job: string) => ({ after: [{ job, on: 'success' as const }] });
    const round = [add('a', after('b')), add('b', after('c')), add('c', after('a'))];
    await assert.rejects(writeJobs(world.channel, round), { code: 'chain_cycle' });
    const missing = writeJobs(world.channel, [add('a'), add('b', after('none'))]);
    await assert.rejects(missing, { code: 'upstream_missing', message: /"none"/ });
    const twice = writeJobs(world.channel, [add('a'), add('b'), add('b')]);
    await assert.rejects(twice, { code: 'job_exists', message: /"b"/ });
    assert.deepEqual(await jobsOf(world), []);
  });
});
