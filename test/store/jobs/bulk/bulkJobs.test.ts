import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readCluster } from '../../../../src/store/cluster/clusterView.ts';
import { takeKey } from '../../../../src/store/idempotency/takeKey.ts';
import { type BulkRequest, bulkJobs } from '../../../../src/store/jobs/bulk/bulkJobs.ts';
import { addJob } from '../../../../src/store/jobs/changes/addJob.ts';
import { editJob, pauseJob, resumeJob } from '../../../../src/store/jobs/changes/changeJob.ts';
import { makeReusedWorld, type StoreWorld } from '../../../support/storeWorld.ts';
import { definitionOf, openChannel } from '../../verify/assertAccounted.ts';

const words = { schedule: '@daily' };

async function addAll(world: StoreWorld, names: readonly string[], group?: string): Promise<void> {
  for (const name of names) {
    const definition = definitionOf(
      name,
      group === undefined ? words : { ...words, group, format: 3 },
    );
    await addJob(world.channel, definition);
  }
}

async function pausedNames({ rows }: StoreWorld): Promise<string[]> {
  const found = await rows(
    'SELECT name FROM job WHERE paused = 1 AND removed_no = 0 ORDER BY name',
  );
  return found.map(({ name }) => `${name}`);
}

/** Every part of a change; how many parts, too. */
async function all(world: StoreWorld, request: BulkRequest) {
  const parts = [await bulkJobs(world.channel, request)];
  const { expected: _, ...others } = request;
  for (let part = parts[0]; part?.next; part = parts.at(-1)) {
    parts.push(await bulkJobs(world.channel, { ...others, after: part.next }));
  }
  return { parts, jobs: parts.flatMap(({ jobs }) => jobs) };
}

test('a change is made of all jobs that match, when they are as many as expected', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  const names = Array.from({ length: 120 }, (_, index) => `job-${1_000 + index}`);
  await addAll(world, names);
  await addAll(world, ['other']);
  const request: BulkRequest = { action: 'pause', filter: { prefix: 'job-' } };
  const looked = await all(world, { ...request, isDry: true });
  assert.equal(looked.jobs.length, 120);
  for (const expected of [119, 121]) {
    const message = `120 jobs match, not ${expected}. Nothing was changed.`;
    const wrong = bulkJobs(world.channel, { ...request, expected });
    await assert.rejects(wrong, { code: 'count_differs', message });
  }
  assert.deepEqual(await pausedNames(world), []);
  const { jobs, parts } = await all(world, { ...request, expected: 120 });
  // How many a part takes is a matter of time, too: at most 50.
  assert.ok(parts.length >= 3);
  assert.equal(parts.at(-1)?.left, 0);
  assert.deepEqual(
    parts.map(({ matched }) => matched),
    [120, ...parts.slice(0, -1).map(({ left }) => left)],
  );
  assert.ok(parts.every(({ left, matched }) => left < matched && matched - left <= 50));
  assert.ok(jobs.every(({ outcome }) => outcome === 'changed'));
  assert.deepEqual(await pausedNames(world), names);
  const again = await bulkJobs(world.channel, { ...request, isDry: true });
  assert.equal(again.matched, 0, 'what is paused needs no pause');
});

test('a pause of many jobs has one end, in whichever parts it is made', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  await addAll(
    world,
    Array.from({ length: 60 }, (_, index) => `job-${1_000 + index}`),
  );
  const ends = () => world.rows('SELECT DISTINCT resume_at FROM job');
  const pause = { action: 'pause', filter: {}, scope: 'all jobs', note: 'a move' } as const;
  const { parts } = await all(world, { ...pause, end: { forMs: 60_000 }, expected: 60 });
  assert.ok(parts.length >= 2);
  const [first, ...others] = await ends();
  assert.deepEqual(others, []);

  // Again it moves the end, and of no job that is paused for another reason.
  await pauseJob(world.channel, 'job-1000', null, 'by hand');
  const { note: _, ...longer } = { ...pause, end: { forMs: 600_000 }, expected: 59 };
  const { jobs } = await all(world, longer);
  assert.ok(jobs.every(({ outcome }) => outcome === 'changed'));
  const moved = await ends();
  assert.equal(moved.length, 2);
  assert.ok(moved.some((end) => end.resume_at === null));
  assert.ok(!moved.some((end) => String(end.resume_at) === String(first?.resume_at)));
  const reasons = await world.rows(`SELECT DISTINCT reason FROM job_revision
    JOIN job USING (job_id, revision) WHERE name <> 'job-1000'`);
  assert.equal(reasons.length, 1);
  assert.match(`${reasons[0]?.reason}`, /^paused together with all jobs by .*: a move$/);
  await all(world, { action: 'resume', filter: {}, scope: 'all jobs', expected: 59 });
  assert.deepEqual(await pausedNames(world), ['job-1000']);
});

test('what a list shows by a state or a last result is changed, however many jobs', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  const names = Array.from({ length: 203 }, (_, index) => `job-${1_000 + index}`);
  await addAll(world, names);
  await addAll(world, ['well', 'never ran']);
  await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      started_at, ended_at, result)
    SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3), NOW(3),
      IF(name = 'well', 'succeeded', 'failed')
    FROM job WHERE name <> 'never ran'`);
  const failed = { lastResults: ['failed', 'timed_out', 'lost'] } as const;
  const request: BulkRequest = { action: 'pause', filter: failed };
  await assert.rejects(bulkJobs(world.channel, { ...request, expected: 200 }), {
    message: '203 jobs match, not 200. Nothing was changed.',
  });
  await all(world, { ...request, expected: 203 });
  assert.deepEqual(await pausedNames(world), names);
  const idle = { action: 'remove', filter: { state: 'cannot_run', text: 'e' } } as const;
  const { jobs } = await all(world, { ...idle, expected: 2 });
  assert.deepEqual(
    jobs.map(({ job }) => job),
    ['never ran', 'well'],
  );
});

test('what was paused together is resumed together, and no other job', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  const { channel } = world;
  await addAll(world, ['a', 'b', 'by hand'], 'web');
  await addAll(world, ['c']);
  await pauseJob(channel, 'by hand');
  const scope = 'group "web"';
  const groups = { groups: ['web'] };
  const pause = { action: 'pause', filter: groups, scope, note: 'a move' } as const;
  await bulkJobs(channel, { ...pause, expected: 2 });
  const everything = { action: 'pause', filter: {}, scope: 'all jobs' } as const;
  await bulkJobs(channel, { ...everything, expected: 1 });
  await addAll(world, ['later'], 'web');
  const { jobWarnings } = await readCluster(channel, { endedWithinMs: 0, sessionsMax: 1 });
  assert.equal(jobWarnings.length, 2);
  const [first = ''] = jobWarnings;
  assert.match(
    first,
    /^2 jobs are paused together with group "web" by \S+: a move \(since .*Z\); /,
  );
  assert.match(first, /end it with: statecron resume --group web$/);

  // An edit leaves it paused with the others; a resume and a pause by hand do not.
  await editJob(channel, 'a', (job) => ({ ...job, group: 'moved' }));
  await resumeJob(channel, 'b');
  await pauseJob(channel, 'b');
  const resume = { action: 'resume', filter: groups, scope, expected: 1 } as const;
  const { jobs } = await bulkJobs(channel, resume);
  assert.deepEqual(jobs, [{ job: 'a', outcome: 'changed', detail: null }]);
  assert.deepEqual(await pausedNames(world), ['b', 'by hand', 'c']);
  await bulkJobs(channel, { ...everything, action: 'resume', expected: 1 });
  assert.deepEqual(await pausedNames(world), ['b', 'by hand']);
});

test('a job that is refused stops no other, and a run under one id is made once', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  await addAll(world, ['first', 'last']);
  const after = [{ job: 'first', on: 'success' as const }];
  await addJob(world.channel, definitionOf('outside', { ...words, after, format: 3 }));
  const run = { action: 'run', filter: { names: ['first', 'last'] }, requestId: 'r' } as const;
  await bulkJobs(world.channel, { ...run, expected: 2 });
  const repeated = await bulkJobs(world.channel, { ...run, expected: 2 });
  assert.deepEqual(
    repeated.jobs.map(({ outcome }) => outcome),
    ['unchanged', 'unchanged'],
  );
  assert.equal((await world.rows('SELECT 1 FROM pending')).length, 2);
  const remove = { action: 'remove', filter: { names: ['first', 'last'] }, expected: 2 } as const;
  const { jobs } = await bulkJobs(world.channel, remove);
  assert.deepEqual(
    jobs.map(({ job, outcome }) => [job, outcome]),
    [
      ['last', 'changed'],
      ['first', 'refused'],
    ],
  );
  assert.match(jobs[1]?.detail ?? '', /"outside"/);
});

test('a repeat with its key goes on where the first was cut off, whatever matches', async (t) => {
  const world = await makeReusedWorld(t, 'mariadb');
  await addAll(world, ['a', 'b', 'c']);
  const channel = openChannel(t, world.url);
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const by = { actor: 'ann', via: 'api', requestId: 'r', address: null } as const;
  const hold = async () => {
    const taken = await takeKey(channel, hash('key'), hash('request'));
    assert.ok(taken.found === 'taken');
    channel.by = { ...by, keyClaim: taken.claim };
  };
  await hold();
  const remove = { action: 'remove', filter: {}, expected: 3 } as const;
  // As far as the first came: one of the three.
  const one = { ...remove, filter: { names: ['c'] }, expected: 1 };
  await bulkJobs(channel, one);
  await world.rows("UPDATE idempotency_key SET taken_at = '2000-01-01'");
  await assert.rejects(bulkJobs(channel, remove), { code: 'count_differs' });
  await hold();
  const { jobs } = await bulkJobs(channel, remove);
  assert.deepEqual(
    jobs.map(({ job, outcome }) => [job, outcome]),
    [
      ['b', 'changed'],
      ['a', 'changed'],
    ],
  );
});
