import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { pageOfJobs } from '../../../src/store/jobs/pageOfJobs.ts';
import { type JobPageQuery, jobSorts, selectPage } from '../../../src/store/jobs/selectPage.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const usual: JobPageQuery = {
  ...{ sort: 'name', after: null, jobsMax: 50, definitionBytesMax: 4 * 1024 * 1024 },
};

/** All names of a list, page by page; how many pages, too. */
async function namesOf(world: StoreWorld, asked: Partial<JobPageQuery>) {
  const names: string[] = [];
  let after: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const page = await pageOfJobs(world.channel, { ...usual, ...asked, after });
    names.push(...page.jobs.map(({ name }) => name));
    if (page.next === null) return { names, pages };
    assert.ok(pages < 1_000, 'the pages do not end');
    after = page.next;
  }
}

/** So many jobs without slots, each with its number in its name, some thousands a statement. */
async function seed(world: StoreWorld, jobs: number): Promise<void> {
  const definition = JSON.stringify({ ...jobDefaults, schedule: '@daily', command: 'true' });
  for (let from = 0; from < jobs; from += 5_000) {
    await world.rows(
      `INSERT INTO job (name, revision, created_at)
        WITH RECURSIVE numbers (n) AS
          (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
        SELECT CONCAT('job-', LPAD(? + k * 1000 + n, 5, '0')), 1, NOW(3)
          FROM numbers JOIN (SELECT 0 AS k UNION SELECT 1 UNION SELECT 2 UNION SELECT 3
            UNION SELECT 4) AS thousands
          WHERE ? + k * 1000 + n < ? ORDER BY k, n`,
      [from, from, jobs],
    );
    await world.rows(
      `INSERT INTO job_revision (job_id, revision, definition, in_force_from)
        SELECT job_id, 1, ?, created_at FROM job WHERE name BETWEEN ? AND ?`,
      [definition, ...[from, from + 4_999].map((number) => `job-${`${number}`.padStart(5, '0')}`)],
    );
  }
}

await forEachEngine((engine) => {
  test('pages of every sort join to the whole list, each job once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const made = ['b', 'a', 'ä', 'Z', 'c%d', 'c_d', 'x'];
    for (const name of made) await addJob(world.channel, definitionOf(name));
    await removeJob(world.channel, 'x');
    const left = made.slice(0, -1);
    const byName = [...left].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const wanted = { name: byName, '-name': byName.toReversed(), created: left };
    for (const sort of jobSorts) {
      for (const jobsMax of [1, 2, 5, 6, 7]) {
        const { names } = await namesOf(world, { sort, jobsMax });
        const expected = sort === '-created' ? left.toReversed() : wanted[sort];
        assert.deepEqual(names, expected, `${sort}, ${jobsMax} a page`);
      }
    }
  });

  test('a list shows the jobs that meet every condition', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const add = (name: string, more: object) =>
      addJob(world.channel, { ...definitionOf(name), ...more });
    await add('plain', {});
    await add('one', { group: 'g', tags: ['x', 'y'], format: 3 });
    await add('two', { group: 'g', tags: ['x'], format: 3 });
    await add('three', { group: 'h', tags: ['y'], format: 3 });
    await add('100%_sure', { tags: ['x'], format: 3 });
    await pauseJob(world.channel, 'two');
    const rows: [Partial<JobPageQuery>, string[]][] = [
      [{ text: 'o' }, ['one', 'two']],
      [{ text: '%' }, ['100%_sure']],
      [{ text: '_' }, ['100%_sure']],
      [{ prefix: 't' }, ['three', 'two']],
      [{ prefix: '100%' }, ['100%_sure']],
      [{ prefix: '_' }, []],
      [{ names: ['two', 'nobody', 'one'] }, ['one', 'two']],
      [{ groups: ['g'] }, ['one', 'two']],
      [{ groups: ['default'] }, ['100%_sure', 'plain']],
      [{ groups: ['h', 'default'] }, ['100%_sure', 'plain', 'three']],
      [{ groups: [] }, []],
      [{ groups: ['g', 'h'], sort: '-name' }, ['two', 'three', 'one']],
      [{ groups: ['g', 'h'], sort: 'created' }, ['one', 'two', 'three']],
      [{ groups: ['g', 'h'], prefix: 't' }, ['three', 'two']],
      [{ groups: ['g', 'h'], names: ['two', 'plain'] }, ['two']],
      [{ groups: ['g'], text: 'o' }, ['one', 'two']],
      [{ tags: ['x'] }, ['100%_sure', 'one', 'two']],
      [{ tags: ['x', 'y'] }, ['one']],
      [{ isPaused: true }, ['two']],
      [{ isPaused: false }, ['100%_sure', 'one', 'plain', 'three']],
      [{ isPaused: false, sort: '-name', prefix: 't' }, ['three']],
      [{ isPaused: true, sort: 'created' }, ['two']],
      [{ isPaused: true, text: 'w', tags: ['x'] }, ['two']],
      [{ isPaused: true, names: ['one', 'two'] }, ['two']],
      [{ isPaused: false, groups: ['g'] }, ['one']],
      [{ tags: ["x' OR 1 = 1"] }, []],
    ];
    for (const [conditions, names] of rows) {
      for (const jobsMax of [1, 50]) {
        const found = await namesOf(world, { ...conditions, jobsMax });
        assert.deepEqual(found.names, names, JSON.stringify(conditions));
      }
    }
  });

  test('a group is listed whole, few or many as the places of its jobs may be', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const added: string[] = [];
    for (let place = 1; place <= 10; place += 1) {
      for (const group of ['g', 'default']) {
        const name = `${group}-${String(place).padStart(2, '0')}`;
        const target = { nodes: [`node${place}`] };
        const own = group === 'g' ? { group } : {};
        await addJob(world.channel, { ...definitionOf(name), ...own, target, format: 3 });
        added.push(name);
      }
      const listed = (groups: string[]) => namesOf(world, { groups, jobsMax: 3 });
      const inOrder = [...added].sort();
      assert.deepEqual((await listed(['g', 'default'])).names, inOrder);
      const ofGroup = inOrder.filter((name) => name.startsWith('g'));
      assert.deepEqual((await listed(['g'])).names, ofGroup);
    }
  });

  test('a page of a hundred thousand jobs reads no more rows than one of a hundred', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await seed(world, 100);
    const page = (asked: Partial<JobPageQuery>) => () =>
      pageOfJobs(world.channel, { ...usual, ...asked });
    const few = await rowsRead(world, page({}));
    await world.rows('DELETE FROM job');
    await world.rows('DELETE FROM job_revision');
    await seed(world, 100_000);
    await world.rows('ANALYZE TABLE job, job_revision');
    const [first] = await world.rows('SELECT MIN(job_id) AS id FROM job');
    for (const sort of jobSorts) {
      const isByName = sort.endsWith('name');
      const after = isByName ? 'job-50000' : `${Number(first?.id) + 50_000}`;
      const many = await rowsRead(world, page({ sort, after }));
      assert.ok(many <= few * 1.2 + 20, `${sort}: ${many} rows read, of a hundred jobs ${few}`);
      const { sql, parameters } = selectPage({ ...usual, sort, after });
      const plan = await world.rows(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, parameters);
      const key = plan.find((row) => row.table === 'job')?.key;
      assert.equal(key, isByName ? 'job_by_name' : 'PRIMARY', sort);
    }
    const prefixed = await rowsRead(world, page({ prefix: 'job-777' }));
    assert.ok(prefixed <= few * 1.2 + 20, `a prefix: ${prefixed} rows read`);
    await world.rows("UPDATE job SET paused = 1 WHERE name LIKE '%00'");
    const pausedPage = page({ isPaused: true, after: 'job-50000' });
    const paused = await rowsRead(world, pausedPage);
    assert.ok(paused <= few * 1.2 + 20, `paused: ${paused} rows read`);
    const { jobs: resting } = await pausedPage();
    assert.deepEqual([resting.length, resting[0]?.name], [50, 'job-50100']);
    const grouped = await rowsRead(world, page({ groups: ['default'], after: 'job-50000' }));
    assert.ok(grouped <= few * 2 + 120, `a group: ${grouped} rows read`);
    // Nobody has the tag: the page ends where its window does, and says so.
    const tagged = page({ tags: ['none'] });
    assert.ok((await rowsRead(world, tagged)) <= 40_000);
    const { jobs, next } = await tagged();
    assert.deepEqual([jobs.length, next], [0, 'job-01999']);
    assert.deepEqual((await namesOf(world, { text: '-99999' })).names, ['job-99999']);
  });

  test('a list tells when a job is due, what its slots do, and how it ended', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel, rows } = world;
    const parallel = { parallel: 4, format: 3 };
    await addJob(channel, { ...definitionOf('busy'), ...parallel });
    await addJob(channel, { ...definitionOf('new'), command: `true # ${'x'.repeat(1_000_000)}` });
    await rows("UPDATE slot SET next_run_at = '2031-02-03 04:05:06.789'");
    const [job] = await rows("SELECT job_id FROM job WHERE name = 'busy'");
    const set = (slotNo: number, what: string) =>
      rows(`UPDATE slot SET ${what} WHERE job_id = ? AND slot_no = ?`, [job?.job_id, slotNo]);
    const runs = "state = 'executing', next_run_at = NULL, scheduled_for = '2030-01-01'";
    await set(0, `${runs}, cursor_at = '2031-01-01'`);
    await set(1, "state = 'prepare', next_run_at = '2030-01-01', scheduled_for = '2031-01-02'");
    await set(2, "ended_at = '2030-01-01 00:00:01.251'");
    const run = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at,
      result) VALUES (?, 1, 'schedule', 1, '2030-01-01', ?, ?)`;
    for (const [endedAt, result] of [
      ['2030-01-01 00:00:01.250', 'failed'],
      ['2030-01-01 00:00:01.250', 'timed_out'],
      ['2030-01-01 00:00:00', 'succeeded'],
      ['2030-01-02 00:00:00', 'skipped'],
      ['2030-01-03 00:00:00', 'missed'],
    ]) {
      await rows(run, [job?.job_id, endedAt, result]);
    }
    const { jobs } = await pageOfJobs(channel, { ...usual, definitionBytesMax: 2_000_000 });
    const [busy, fresh] = jobs;
    assert.equal(busy?.nextRunMs, Date.UTC(2031, 0, 1), 'the tick that follows what runs');
    assert.deepEqual([busy?.prepared, busy?.executing], [1, 1]);
    const endedMs = Date.UTC(2030, 0, 1, 0, 0, 1, 250);
    assert.deepEqual([busy?.last?.result, busy?.last?.endedMs], ['timed_out', endedMs]);
    assert.equal(fresh?.nextRunMs, Date.UTC(2031, 1, 3, 4, 5, 6, 789));
    assert.deepEqual([fresh?.prepared, fresh?.executing, fresh?.last], [0, 0, null]);
    assert.equal(fresh?.definition.command.length, 1_000_007);
    await rows('DELETE FROM slot');
    const without = await pageOfJobs(channel, usual);
    const told = without.jobs.map(({ nextRunMs, prepared }) => [nextRunMs, prepared]);
    assert.deepEqual(told, [
      [null, 0],
      [null, 0],
    ]);
  });

  test('a page holds no more bytes of definitions than it may, but always one job', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const command = `true # ${'x'.repeat(10_000)}`;
    for (const name of ['a', 'b', 'c', 'd']) {
      await addJob(world.channel, { ...definitionOf(name), command });
    }
    assert.equal((await namesOf(world, { definitionBytesMax: 1 })).pages, 4);
    assert.equal((await namesOf(world, { definitionBytesMax: 25_000 })).pages, 2);
    const { names } = await namesOf(world, { definitionBytesMax: 25_000 });
    assert.deepEqual(names, ['a', 'b', 'c', 'd']);
  });
});
