import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JobState, jobStates } from '../../../src/domain/run/jobState.ts';
import type { RunResult } from '../../../src/domain/run/run.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { pageOfJobs } from '../../../src/store/jobs/pageOfJobs.ts';
import type { JobPageQuery } from '../../../src/store/jobs/selectPage.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { rowsRead } from '../../support/rowsRead.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

const usual: JobPageQuery = {
  ...{ sort: 'name', after: null, jobsMax: 50, definitionBytesMax: 4 * 1024 * 1024 },
};

async function list(world: StoreWorld, asked: Partial<JobPageQuery> = {}) {
  const { jobs, next } = await pageOfJobs(world.channel, { ...usual, ...asked });
  assert.equal(next, null);
  return jobs;
}

async function names(world: StoreWorld, asked: Partial<JobPageQuery>): Promise<string[]> {
  return (await list(world, asked)).map(({ name }) => name);
}

/** Runs of the job, the latest first, one a minute; each took as long as it says, if it started. */
async function addRuns(
  { rows }: StoreWorld,
  job: string,
  runs: readonly (readonly [RunResult, number | null])[],
): Promise<void> {
  const sql = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at,
      started_at, result)
    SELECT job_id, 1, 'schedule', 1, '2030-01-01', at, at - INTERVAL ? MICROSECOND, ? FROM
      (SELECT job_id, '2030-01-01 12:00' - INTERVAL ? MINUTE AS at FROM job WHERE name = ?) AS one`;
  for (const [index, [result, ms]] of runs.entries()) {
    await rows(sql, [ms === null ? null : ms * 1000, result, index, job]);
  }
}

await forEachEngine((engine) => {
  test('each job of a list has one state, and a list of a state has the jobs in it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel, rows } = world;
    await world.join('web1', { facts: { level: 1, labels: ['disk'] } });
    await world.join('gone');
    const add = (name: string, more: object = {}) =>
      addJob(channel, { ...definitionOf(name), ...more });
    const placed = (node: string) => ({ target: { nodes: [node] }, format: 3 });
    const wanted: Readonly<Record<string, JobState>> = {
      ...{ idle: 'idle', prepared: 'idle', due: 'waiting', late: 'waiting' },
      ...{ runs: 'running', rests: 'paused', 'rests and runs': 'running' },
      ...{ seen: 'observed', 'seen and due': 'observed', 'seen and rests': 'paused' },
      ...{ nowhere: 'cannot_run', everywhere: 'idle', 'nowhere and rests': 'paused' },
    };
    for (const name of Object.keys(wanted)) {
      const isPlaced = name.startsWith('nowhere');
      await add(name, {
        ...(isPlaced ? placed('web2') : {}),
        ...(name.startsWith('seen') ? { observed: true, format: 6 } : {}),
        ...(name === 'everywhere' ? { kind: 'every-node', format: 4 } : {}),
      });
    }
    await rows('UPDATE slot SET next_run_at = NOW(3) + INTERVAL 1 DAY, cursor_at = next_run_at');
    for (const name of ['rests', 'rests and runs', 'nowhere and rests', 'seen and rests']) {
      await pauseJob(channel, name);
    }
    const set = (what: string, ...some: string[]) =>
      rows(`UPDATE slot SET ${what} WHERE job_id IN (SELECT job_id FROM job WHERE name IN (?))`, [
        some,
      ]);
    await set('next_run_at = NOW(3) - INTERVAL 1 SECOND', 'due', 'seen and due');
    await set("state = 'prepare', scheduled_for = next_run_at", 'prepared');
    await set("state = 'prepare', next_run_at = NOW(3), scheduled_for = NOW(3)", 'late');
    await set("state = 'executing', next_run_at = NULL", 'runs', 'rests and runs');
    // What waits for a node that is away is no news of a job that the others run.
    await rows("UPDATE session SET state = 'ended', ended_at = NOW(3) WHERE node_name = 'gone'");
    await rows(`UPDATE slot SET next_run_at = NOW(3) - INTERVAL 1 DAY,
      cursor_at = NOW(3) - INTERVAL 1 DAY WHERE node_name = 'gone'`);

    const all = await list(world);
    assert.deepEqual(Object.fromEntries(all.map(({ name, state }) => [name, state])), wanted);
    const everywhere = all.find(({ name }) => name === 'everywhere');
    assert.ok((everywhere?.nextRunMs ?? 0) > Date.now(), 'its next tick is that of web1');
    const inOrder = Object.keys(wanted).sort();
    for (const state of jobStates) {
      const expected = inOrder.filter((name) => wanted[name] === state);
      assert.deepEqual(await names(world, { state }), expected, state);
      const backwards = await names(world, { state, sort: '-created' });
      assert.deepEqual(backwards.sort(), expected, state);
    }
    assert.deepEqual(await names(world, { state: 'waiting', text: 'ue', isPaused: false }), [
      'due',
    ]);
    assert.deepEqual(await names(world, { state: 'running', isPaused: true }), ['rests and runs']);
    assert.deepEqual(await names(world, { state: 'running', groups: ['none'] }), []);
    assert.deepEqual(await names(world, { state: 'cannot_run', groups: ['default'] }), ['nowhere']);
    const edited = await editJob(channel, 'everywhere', (old) => ({ ...old, command: 'false' }));
    assert.ok((edited.nextRunMs ?? 0) > Date.now(), 'an edit says the same');
  });

  test('a list of a node has the jobs that it may run, live or away', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.join('web1', { facts: { level: 1, labels: ['disk'] } });
    await world.join('web2', { facts: { level: 1, labels: [] } });
    const target = (some: object) => ({ target: some, format: 3 });
    for (const [name, more] of Object.entries({
      any: {},
      'on-1': target({ nodes: ['web1'] }),
      'on-2': target({ nodes: ['web2'] }),
      'on-disk': { ...target({ labels: ['disk'] }), group: 'g' },
    })) {
      await addJob(world.channel, { ...definitionOf(name), ...more });
    }
    assert.deepEqual(await names(world, { node: 'web1' }), ['any', 'on-1', 'on-disk']);
    await world.rows("UPDATE session SET state = 'ended' WHERE node_name = 'web2'");
    assert.deepEqual(await names(world, { node: 'web2' }), ['any', 'on-2']);
    assert.deepEqual(await names(world, { node: 'web2', state: 'cannot_run' }), ['on-2']);
    assert.deepEqual(await names(world, { node: 'web1', groups: ['g'] }), ['on-disk']);
    assert.deepEqual(await names(world, { node: 'web1', groups: ['g'], text: 'x' }), []);
    assert.deepEqual(await names(world, { node: 'nobody' }), []);
  });

  test('statistics are of the last 20 rows of each job, however many it has', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['busy', 'few', 'new']) await addJob(world.channel, definitionOf(name));
    const busy = Array.from({ length: 60 }, (_, index) => ['succeeded', 1_000 * index] as const);
    await addRuns(world, 'busy', busy);
    await addRuns(world, 'few', [
      ['skipped', null],
      ['failed', 250],
      ['lost', 10],
      ['not_started', null],
    ]);
    await world.rows(`UPDATE slot SET ended_at = '2030-01-01 11:59'
      WHERE job_id = (SELECT job_id FROM job WHERE name = 'few')`);
    const shown = await list(world, { hasStats: true });
    assert.deepEqual(
      shown.map(({ recent = [] }) => recent.map(({ result }) => result).join(' ')),
      [Array(20).fill('succeeded').join(' '), 'skipped failed lost not_started', ''],
    );
    const [ofBusy, ofFew, ofNew] = shown;
    assert.deepEqual(
      ofBusy?.recent
        ?.slice(0, 2)
        .map(({ startedMs, endedMs }) => [endedMs - (startedMs ?? 0), endedMs]),
      [
        [0, Date.UTC(2030, 0, 1, 12)],
        [1_000, Date.UTC(2030, 0, 1, 11, 59)],
      ],
    );
    assert.deepEqual([ofFew?.last?.result, ofNew?.last], ['failed', null]);
    assert.ok((await list(world)).every(({ recent }) => recent === undefined));
    const read = await rowsRead(world, () => list(world, { hasStats: true, names: ['busy'] }));
    assert.ok(read < 60, `${read} rows read for 20 that are shown`);
  });

  test('a list of a last result has the jobs whose last run ended so', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const histories: Readonly<Record<string, readonly (readonly [RunResult, number | null])[]>> = {
      bad: [['failed', 5]],
      'bad before': [
        ['succeeded', 5],
        ['failed', 5],
      ],
      'bad, then skipped': [
        ['skipped', null],
        ['missed', null],
        ['failed', 5],
      ],
      'good, then skipped': [
        ['skipped', null],
        ['succeeded', 5],
      ],
      gone: [['lost', 5]],
      none: [],
    };
    for (const [name, runs] of Object.entries(histories)) {
      await addJob(world.channel, definitionOf(name));
      await addRuns(world, name, runs);
    }
    await world.rows("UPDATE slot SET ended_at = '2030-01-01 12:00'");
    const list = (...lastResults: RunResult[]) => names(world, { lastResults });
    assert.deepEqual(await list('failed'), ['bad', 'bad, then skipped']);
    assert.deepEqual(await list('lost', 'timed_out'), ['gone']);
    assert.deepEqual(await list('succeeded'), ['bad before', 'good, then skipped']);
    assert.deepEqual(await list('skipped'), []);
  });
});
