import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { startTestServer } from '../../support/startTestServer.ts';
import { makeStoreWorld, makeStoreWorldAt, type StoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

interface Report {
  agreed: number;
  differences: unknown[];
  jobs: number;
}

const add = (name: string, ...flags: string[]) => [
  ...['job', 'add', name, '--cron', '@daily', '--command', name, '--observed', ...flags],
];

/** A tick five minutes ago, which it resolves to, of a job that has been observed for an hour. */
async function recordTick(world: StoreWorld, job: string, nodes = ['']): Promise<string> {
  const [row] = await world.rows(selectTick);
  const tick = row?.tick as Date;
  await world.rows(
    `UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL 1 HOUR
      WHERE job_id = (SELECT job_id FROM job WHERE name = ?)`,
    [job],
  );
  for (const nodeName of nodes) {
    await world.rows(
      `INSERT INTO run (job_id, revision, node_name, scheduled_for, scheduled_until, attempt,
          triggered_by, ended_at, result, reason)
        SELECT job_id, 1, ?, ?, ?, 1, 'schedule', NOW(3), 'skipped', ? FROM job WHERE name = ?`,
      [nodeName, tick, tick, reasons.observed, job],
    );
  }
  return tick.toISOString();
}

const selectTick = `SELECT
  CAST(DATE_FORMAT(NOW() - INTERVAL 5 MINUTE, '%Y-%m-%d %H:%i:00') AS DATETIME(3)) AS tick`;

testBothWays('a tick that every node has recorded is one start of the old cron', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  assert.equal((await askCli(add('each', '--kind', 'every-node'), cli)).code, 0);
  const tick = await recordTick(world, 'each', ['a', 'b', 'c']);
  const log = `${tick} web1 CRON[1]: (root) CMD (each)\n`;
  const report = ['observe', 'report', '--cron-log', '-'];
  const { agreed, differences, jobs } = await askJsonCli<Report>(report, { ...cli, input: log });
  assert.deepEqual([agreed, differences, jobs], [1, [], 1]);
});

test('a report on a log without starts is refused, and nothing is claimed of it', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  assert.equal((await askCli(add('seen'), world)).code, 0);
  await recordTick(world, 'seen');
  const report = (input: string) =>
    askCli(['observe', 'report', '--cron-log', '-'], { ...world, input });
  const none = await report('Nov 26 12:00:00 web1 sshd[1]: a log of another program\n');
  assert.deepEqual([none.code, none.stdout], [1, ''], 'each tick would be a difference');
  assert.match(none.stderr, /log has no line of a start.*\nhint: .*journalctl -u cron/);
  await world.rows('DELETE FROM run');
  const empty = await report(oldStart);
  assert.equal(empty.code, 1, 'agreement is not claimed where nothing was compared');
  assert.match(empty.stdout, /^Compared: .* to .*\.$/m);
  assert.match(empty.stderr, /Neither cron nor statecron has a start/);
});

test('a report says how many starts differ, and when there is nothing to compare', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  assert.equal((await askCli(add('seen'), world)).code, 0);
  const report = (input: string) =>
    askCli(['observe', 'report', '--cron-log', '-'], { ...world, input });
  const early = await report(oldStart);
  assert.deepEqual([early.code, early.stdout], [1, '']);
  assert.match(early.stderr, /There is nothing to compare yet: jobs are observed since \d{4}-/);
  const tick = await recordTick(world, 'seen');
  const starts = ['seen', 'other', 'other', 'another'].map(
    (command) => `${tick} web1 CRON[1]: (root) CMD (${command})\n`,
  );
  const { stdout } = await report(starts.join(''));
  assert.match(stdout, /^1 observed job: 1 start agrees, 3 starts differ\.$/m);
});

const oldStart = '2020-01-01T00:00:00Z web1 CRON[1]: (root) CMD (old)\n';

test('a report needs no statement of its own for each job', async (t) => {
  // Its counter is of the whole server, so that it has one of its own.
  const scope = lastFirst(t);
  const server = await startTestServer('mariadb');
  scope.after(() => server.stop());
  const world = await makeStoreWorldAt(scope, server.url);
  const statements = async (jobs: number, first: number) => {
    const lines = Array.from({ length: jobs }, (_, index) => `0 3 * * * job-${first + index}\n`);
    const input = lines.join('');
    await askJsonCli(['import', '-', '--observe'], { url: world.url, input });
    await recordTick(world, `job-${first}`);
    const before = await selects(world);
    const { code } = await askCli(['observe', 'report', '--cron-log', '-'], {
      ...{ url: world.url, input: oldStart },
    });
    assert.equal(code, 1, 'the tick is only here');
    return (await selects(world)) - before;
  };
  const ofOne = await statements(1, 0);
  const ofMany = await statements(40, 1);
  assert.ok(ofMany - ofOne < 40, `${ofOne} for one, ${ofMany} for 41`);
});

async function selects(world: StoreWorld): Promise<number> {
  const [row] = await world.rows("SHOW GLOBAL STATUS LIKE 'Com_select'");
  return Number(row?.Value);
}

test('a go-live that fails part way says in JSON what it did and what it did not', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  for (const name of ['a', 'b', 'c']) assert.equal((await askCli(add(name), world)).code, 0);
  await world.rows(
    "DELETE FROM lock_row WHERE lock_id = (SELECT job_id FROM job WHERE name = 'b')",
  );
  const goLive = ['job', 'go-live', '--all', '--yes', '--json'];
  const { code, stdout, stderr } = await askCli(goLive, world);
  assert.equal(code, 78);
  assert.match(stderr, /lock_row_missing/);
  const { jobs, left } = JSON.parse(stdout) as { jobs: { job: string }[]; left: string[] };
  assert.deepEqual([jobs.map(({ job }) => job), left], [['a'], ['b', 'c']]);
});

test('a report counts jobs that went live, and says that the log begins too late', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await askCli(add('seen'), world);
  await askCli(add('quiet'), world);
  const tick = await recordTick(world, 'seen');
  await askCli(['job', 'go-live', '--all', '--yes'], world);
  const startMs = Date.parse(tick) + 2 * 60_000;
  const input = `${new Date(startMs).toISOString()} web1 CRON[1]: (root) CMD (seen)\n`;
  const { stdout, stderr } = await askCli(['observe', 'report', '--cron-log', '-'], {
    ...world,
    input,
  });
  const none = /^2 jobs \(0 still observed, 2 went live\): 0 starts agree, 2 starts differ\.$/m;
  assert.match(stdout, none);
  assert.match(
    stderr,
    /^Observed no more: 2 jobs are compared until .*\d\d:\d\d:\d\d [+]\d\d:\d\d\.$/m,
  );
  assert.match(stderr, /^1 start of statecron is before the first of the log \(\d.*\): give one /m);
});
