import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { pageOfJobs } from '../../../src/store/jobs/pageOfJobs.ts';
import {
  readUpcoming,
  type Upcoming,
  type UpcomingQuery,
} from '../../../src/store/timeline/readUpcoming.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Whole hours from one that lies ahead, by the database's clock. */
async function hourAhead({ channel }: StoreWorld): Promise<number> {
  return (Math.floor((await channel.readNow()) / hourMs) + 1) * hourMs;
}

async function add(world: StoreWorld, name: string, more: object = {}): Promise<void> {
  await addJob(world.channel, { ...definitionOf(name), ...more });
}

const setSlot = (world: StoreWorld, job: string, what: string, ...values: (Date | null)[]) =>
  world.rows(`UPDATE slot SET ${what} WHERE job_id = (SELECT job_id FROM job WHERE name = ?)`, [
    ...values,
    job,
  ]);

function read(world: StoreWorld, query: Partial<UpcomingQuery> = {}): Promise<Upcoming> {
  return readUpcoming(world.channel, { withinMs: 3 * hourMs, launchesMax: 50, ...query });
}

const shown = ({ launches }: Upcoming) =>
  launches.map(({ job, trigger, state, more }) => `${job}: ${trigger}, ${state}, ${more}`);

await forEachEngine((engine) => {
  test('what is due is shown in order, a job once, with how many follow', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('web1');
    const hour = await hourAhead(world);
    const minutely = { schedule: '* * * * *' };
    await add(world, 'hourly', { schedule: '0 * * * *' });
    await add(world, 'often', minutely);
    await add(world, 'rare', { schedule: '0 0 1 1 *' });
    await add(world, 'rests', minutely);
    await add(world, 'seen', { ...minutely, observed: true, format: 6 });
    await add(world, 'nowhere', { ...minutely, target: { nodes: ['w2'] }, format: 3 });
    await add(world, 'parallel', { ...minutely, parallel: 3, format: 3 });
    await add(world, 'runs', { schedule: '0 * * * *' });
    await add(world, 'claimed', { schedule: '0 * * * *' });
    await pauseJob(world.channel, 'rests');
    const at = new Date(hour);
    const hourly = ['hourly', 'often', 'seen', 'nowhere', 'parallel'];
    for (const name of hourly) await setSlot(world, name, 'next_run_at = ?, cursor_at = ?', at, at);
    await setSlot(world, 'rare', 'next_run_at = ?, cursor_at = ?', null, null);
    const later = [at, at, new Date(hour + hourMs)] as const;
    const claim = "state = 'prepare', triggered_by = 'schedule', scheduled_for = ?, ";
    await setSlot(world, 'claimed', `${claim} next_run_at = ?, cursor_at = ?`, ...later);
    // What it runs was asked for; what it runs next is its tick.
    const asked = "state = 'executing', triggered_by = 'manual', next_run_at = NULL, ";
    await setSlot(world, 'runs', `${asked} cursor_at = ?`, at);

    const { nowMs } = await read(world);
    const withinMs = hour - nowMs + 2 * hourMs - 1_000;
    const upcoming = await read(world, { withinMs });
    assert.deepEqual(shown(upcoming).sort(), [
      'claimed: schedule, idle, 1',
      'hourly: schedule, idle, 1',
      'nowhere: schedule, cannot_run, 119',
      'often: schedule, idle, 119',
      'parallel: schedule, idle, 119',
      'runs: schedule, running, 1',
      'seen: schedule, observed, 119',
    ]);
    assert.ok(upcoming.launches.every(({ atMs }) => atMs === hour));
    const often = upcoming.launches.find(({ job }) => job === 'often');
    assert.equal(often?.lastMs, hour + 119 * minuteMs);
    assert.deepEqual([upcoming.next, upcoming.overdue], [null, 0]);

    const each = await read(world, { withinMs, isEachTick: true, launchesMax: 12 });
    assert.equal(each.launches.length, 12);
    const times = each.launches.map(({ atMs }) => atMs);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    assert.equal(times.filter((atMs) => atMs === hour).length, 7);
    assert.equal(each.untilMs, times.at(-1));
    const whole = await read(world, { withinMs, isEachTick: true, launchesMax: 1_000 });
    const first = whole.launches.slice(0, times.length).map(({ atMs }) => atMs);
    assert.deepEqual(times, first);
  });

  test('requests, retries and backfills are due among the ticks of their job', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('web1');
    for (const name of ['asked', 'busy']) await add(world, name, { schedule: '@manual' });
    await world.rows(`INSERT INTO pending (job_id, triggered_by, scheduled_for, request_id,
        not_before)
      SELECT job_id, triggered, NOW(3), triggered, NOW(3) + INTERVAL many MINUTE FROM job, (SELECT
        'retry' AS triggered, 10 AS many UNION SELECT 'backfill', 20 UNION SELECT 'manual', 30)
        AS requests WHERE name = 'asked' OR triggered = 'manual'`);
    await world.rows(`UPDATE slot SET next_run_at = (SELECT MIN(not_before) FROM pending
      WHERE pending.job_id = slot.job_id)`);
    await setSlot(world, 'busy', "state = 'executing', next_run_at = NULL");
    assert.deepEqual(shown(await read(world)), [
      'asked: retry, idle, 2',
      'busy: manual, running, 0',
    ]);
    await world.rows('UPDATE pending SET not_before = NOW(3) - INTERVAL 1 HOUR');
    const [busy] = (await read(world)).launches;
    assert.equal(busy?.job, 'busy', 'what waits for its own run is due when that ends');
  });

  test('a tick that came while its job ran is not due, unless it waits for the run', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('web1');
    const hour = await hourAhead(world);
    const hourly = { schedule: '0 * * * *' };
    await add(world, 'asked', hourly);
    await add(world, 'queues', { ...hourly, overlap: 'queue', format: 3 });
    await add(world, 'skips', hourly);
    const runs = "state = 'executing', triggered_by = 'schedule', next_run_at = NOW(3)";
    for (const name of ['asked', 'queues', 'skips']) {
      await setSlot(world, name, `${runs}, cursor_at = NOW(3) - INTERVAL 2 SECOND`);
    }
    await world.rows(`INSERT INTO pending (job_id, triggered_by, scheduled_for, not_before)
      SELECT job_id, 'manual', NOW(3), NOW(3) - INTERVAL 1 SECOND FROM job WHERE name = 'asked'`);
    const { launches, nowMs } = await read(world);
    assert.deepEqual(
      launches.map(({ atMs, job, trigger }) => [job, trigger, Math.max(atMs, nowMs)]),
      [
        ['queues', 'schedule', nowMs],
        ['asked', 'manual', nowMs],
        ['skips', 'schedule', hour],
      ],
    );
    const size = { jobsMax: 50, definitionBytesMax: 1024 * 1024 };
    const { jobs } = await pageOfJobs(world.channel, { sort: 'name', after: null, ...size });
    assert.deepEqual(
      jobs.map(({ name, nextRunMs }) => [name, Math.max(nextRunMs ?? 0, nowMs)]),
      [
        ['asked', hour],
        ['queues', nowMs],
        ['skips', hour],
      ],
    );
  });

  test('pages join to the whole, and what is long overdue is counted', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('web1');
    const hour = await hourAhead(world);
    for (let number = 0; number < 12; number += 1) {
      const group = number % 3 === 0 ? { group: 'g', format: 3 } : {};
      await add(world, `job-${number}`, { schedule: '0 * * * *', ...group });
      const at = new Date(hour + Math.floor(number / 4) * minuteMs);
      await setSlot(world, `job-${number}`, 'next_run_at = ?, cursor_at = ?', at, at);
    }
    for (const [groups, jobs] of [
      [undefined, 12],
      [['g'], 4],
      [['default'], 8],
      [[], 0],
    ] as const) {
      const whole = await read(world, groups ? { groups } : {});
      assert.equal(whole.launches.length, jobs);
      for (const launchesMax of [1, 5]) {
        const names: string[] = [];
        for (let after: Upcoming['next'] = null; ; ) {
          const page = await read(world, { ...(groups ? { groups } : {}), launchesMax, after });
          names.push(...page.launches.map(({ job }) => job));
          after = page.next;
          if (after === null) break;
        }
        assert.deepEqual(
          names,
          whole.launches.map(({ job }) => job),
        );
      }
    }
    await setSlot(world, 'job-3', 'next_run_at = NOW(3) - INTERVAL 2 MINUTE');
    await setSlot(world, 'job-4', 'next_run_at = NOW(3) - INTERVAL 2 SECOND');
    const late = await read(world, { launchesMax: 1 });
    assert.deepEqual([shown(late), late.overdue], [['job-4: manual, waiting, 2'], 1]);
  });
});
