import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { readTimeline, type TimelineQuery } from '../../../src/store/timeline/readTimeline.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const at = (time: string): number => Date.parse(`2030-01-01T${time}Z`);
const page = { sort: 'name', after: null, jobsMax: 40, definitionBytesMax: 1024 * 1024 } as const;

function read(world: StoreWorld, from: string, until: string, more: Partial<TimelineQuery> = {}) {
  const query = { fromMs: at(from), untilMs: at(until), bins: 4, jobs: page, ...more };
  return readTimeline(world.channel, query);
}

/** Rows of the job that began and ended then, by their results. */
async function addRows(
  world: StoreWorld,
  job: string,
  rows: readonly (readonly [result: string, began: string, ended: string, ticks?: number])[],
): Promise<void> {
  for (const [result, began, ended, ticks = 1] of rows) {
    const isRun = result !== 'missed' && result !== 'skipped';
    await world.rows(
      `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, started_at,
          ended_at, result, ticks)
        SELECT job_id, 1, 'schedule', 1, ?, ?, ?, ?, ? FROM job WHERE name = ?`,
      [new Date(at(began)), isRun ? new Date(at(began)) : null, new Date(at(ended)), result].concat(
        ticks as never,
        job as never,
      ),
    );
  }
}

await forEachEngine((engine) => {
  test('a timeline has what began, ended or was missed in its range, of each job', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['a', 'b']) await addJob(world.channel, definitionOf(name));
    await addRows(world, 'a', [
      ['succeeded', '08:00:00', '09:59:59'],
      ['failed', '09:30:00', '10:00:00'],
      ['succeeded', '10:30:00', '10:31:00'],
      ['timed_out', '11:30:00', '12:30:00'],
      ['missed', '11:00:00', '13:00:00', 60],
      ['succeeded', '13:30:00', '13:31:00'],
    ]);
    await world.rows(`UPDATE slot SET state = 'executing', started_at = '2030-01-01 11:45',
        scheduled_for = '2030-01-01 11:44', launch_id = 'l1'
      WHERE job_id = (SELECT job_id FROM job WHERE name = 'b')`);
    const { jobs } = await read(world, '10:00:00', '12:00:00');
    const shown = jobs.map(({ job, runs, bins }) => [
      job.name,
      runs.map(({ result, ticks }) => `${result} ${ticks}`).sort(),
      bins,
    ]);
    assert.deepEqual(shown, [
      ['a', ['failed 1', 'missed 60', 'succeeded 1', 'timed_out 1'], null],
      ['b', ['null 1'], null],
    ]);
    const before = await read(world, '10:00:00', '11:40:00');
    assert.equal(before.jobs[1]?.runs.length, 0, 'it had not begun');
  });

  test('a job with more runs than fit is shown in bins, of what was read', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['busy', 'calm']) await addJob(world.channel, definitionOf(name));
    await world.rows('CREATE TABLE digit (d INT)');
    await world.rows('INSERT INTO digit VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)');
    const fill = (to: string, more: number) =>
      world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
          started_at, ended_at, result)
        SELECT job_id, 1, 'schedule', 1, at, at, at, IF(n % 2 = 0, 'failed', 'succeeded')
        FROM (SELECT job_id, n, CAST('${to}' AS DATETIME(3)) - INTERVAL n SECOND AS at
          FROM job, (SELECT a.d * 1000 + b.d * 100 + c.d * 10 + e.d AS n
            FROM digit a, digit b, digit c, digit e) AS numbers
          WHERE job.name = 'busy' AND n < ${more}) AS runs`);
    await fill('2030-01-01 09:59:59', 3_600);
    await addRows(world, 'calm', [['lost', '09:30:00', '09:31:00']]);
    const [busy, calm] = (await read(world, '09:00:00', '10:00:00')).jobs;
    assert.deepEqual([busy?.runs, busy?.readFromMs], [[], null]);
    const counts = busy?.bins?.map(({ bin, result, ticks }) => `${bin} ${result} ${ticks}`).sort();
    const parts = [0, 1, 2, 3].flatMap((bin) => [`${bin} failed 450`, `${bin} succeeded 450`]);
    assert.deepEqual(counts, parts);
    assert.deepEqual([calm?.runs.length, calm?.bins], [1, null]);
    await fill('2030-01-01 08:59:59', 10_000);
    const [more] = (await read(world, '06:00:00', '10:00:00')).jobs;
    const ticks = more?.bins?.reduce((sum, bin) => sum + bin.ticks, 0);
    assert.deepEqual([ticks, more?.readFromMs], [10_000, at('09:59:59') - 9_999_000]);
  });

  test('a timeline shows ticks to come, many as a number, and new revisions', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, { ...definitionOf('often'), schedule: '* * * * *' });
    await addJob(world.channel, { ...definitionOf('rests'), schedule: '* * * * *' });
    await pauseJob(world.channel, 'rests');
    const nowMs = await world.channel.readNow();
    const untilMs = (Math.floor(nowMs / 60_000) + 100) * 60_000;
    const range = { fromMs: nowMs - 3_600_000, untilMs };
    const shown = await readTimeline(world.channel, { ...range, bins: 9, jobs: page });
    const [often, rests] = shown.jobs;
    // Of the minutes that come; the next one may have begun since the range was made.
    const minutes = untilMs / 60_000 - Math.floor(shown.nowMs / 60_000) - 1;
    assert.deepEqual([often?.nextMs.length, often?.nextMore], [60, minutes - 60]);
    assert.deepEqual([rests?.nextMs, rests?.nextMore], [[], 0]);
    const revisions = (job: typeof rests) =>
      job?.revisions.map(({ revision, isPaused }) => `${revision} ${isPaused}`).sort();
    assert.deepEqual(revisions(often), ['1 false']);
    assert.deepEqual(revisions(rests), ['1 false', '2 true']);
    const later = { fromMs: nowMs + 60_000, untilMs, bins: 9, jobs: page };
    const [none] = (await readTimeline(world.channel, later)).jobs;
    assert.deepEqual([none?.revisions, none?.runs], [[], []]);
  });
});
