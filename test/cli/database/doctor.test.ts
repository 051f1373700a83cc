import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { sessionEnds } from '../../../src/domain/reasons/sessionEnd.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { definitionOf } from '../../store/verify/assertAccounted.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';

interface Checks {
  failed: number;
  checks: { check: string; status: string; message: string }[];
}

await forEachEngine((engine) => {
  test('the cluster shows live and ended sessions and what they hold', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const { url } = world;
    const empty = await askCli(['cluster'], { url });
    assert.match(empty.stdout, /^0 live nodes, 0 jobs/);
    assert.match(empty.stderr, /no node is live/);
    const [one] = await Promise.all([world.join('one'), world.join('two'), world.addJob('x')]);
    await one.claim();
    const three = await world.join('three');
    await three.store.endSession(three.sessionId, 'it left', null);
    await world.rows("UPDATE session SET timezone_data = '2020a' WHERE node_name = 'two'");
    const cluster = await askJsonCli<{
      warnings: string[];
      sessions: { node: string; state: string; prepared: number; stripes: number[] }[];
    }>(['cluster'], { url });
    assert.deepEqual(
      cluster.sessions.map(({ node, state, prepared }) => [node, state, prepared]),
      [
        ['one', 'live', 1],
        ['two', 'live', 0],
        ['three', 'ended', 0],
      ],
    );
    // A node that is back, and lives of it before the last, are shown when they are asked for.
    for (const name of ['three', 'three', 'one again']) {
      const node = await world.join(name);
      await node.store.endSession(node.sessionId, 'it left', null);
    }
    await world.join('one again');
    const rowsOf = async (...more: string[]) => {
      const { stdout } = await askCli(['cluster', ...more], { url });
      return stdout.split('\n').filter((line) => /^(?:one|two|three)\b/.test(line)).length;
    };
    assert.deepEqual([await rowsOf(), await rowsOf('--ended', '1h')], [4, 7]);
    const stripes = cluster.sessions.flatMap((session) => session.stripes);
    assert.equal(new Set(stripes).size, 64);
    assert.match(cluster.warnings.join(), /time zone data/);
  });

  test('the doctor says what was lost in the last hour, also of a node that is back', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const { url } = world;
    const lostOf = async () => {
      const { checks } = await askJsonCli<Checks>(['doctor'], { url });
      return checks.flatMap(({ check, ...rest }) => (check === 'lost nodes' ? [rest] : []));
    };
    const ends = [sessionEnds.stopped, sessionEnds.guardianGone];
    for (const why of ends) {
      const node = await world.join('web1');
      await node.store.endSession(node.sessionId, why, null);
    }
    await world.join('web1');
    const [lost] = await lostOf();
    assert.equal(lost?.status, 'warn');
    assert.match(
      lost?.message ?? '',
      /a node was lost once, most recently node web1 \(its guardian was/,
    );
    await world.rows('UPDATE session SET ended_at = ended_at - INTERVAL 2 HOUR');
    assert.deepEqual(await lostOf(), []);
  });

  test('the doctor finds a missing lock row and restores it with --fix', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const { url } = world;
    const sound = await askJsonCli<Checks>(['doctor'], { url });
    assert.equal(sound.failed, 0);
    await world.rows('DELETE FROM lock_row WHERE lock_id IN (7, 64)');
    const ill = await askCli(['doctor'], { url });
    assert.equal(ill.code, 1);
    assert.match(ill.stdout, /^FAIL +lock rows +missing from the table lock_row: 7, 64$/m);
    assert.match(ill.stdout, /→ Run: statecron doctor --fix/);
    const add = ['job', 'add', 'x', '--cron', '@daily', '--command', 'true'];
    assert.equal((await askCli(add, { url })).code, 0, 'another stripe is not affected');
    const fixed = await askCli(['doctor', '--fix'], { url });
    assert.equal(fixed.code, 0);
    assert.equal((await world.rows('SELECT * FROM lock_row')).length, 65);
  });

  test('the doctor names a job whose schedule this version cannot read', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.addJob('odd', { schedule: '@whenever' });
    const { code, stdout } = await askCli(['doctor'], { url: world.url });
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL +schedules +cannot be read: odd \(descriptor "@whenever"/m);
  });

  test('the doctor says which jobs are left to nodes of another version', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.addJob('newer');
    const definition = `JSON_SET(definition, '$.format', 99)`;
    await world.rows(`UPDATE job_revision SET definition = ${definition}`);
    const { stdout } = await askCli(['doctor'], { url: world.url });
    assert.match(
      stdout,
      /^warn +schedules +nodes of this version leave to others: newer \(its def/m,
    );
  });

  test('the doctor says which jobs a node refused to run as their user', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const { channel, url } = world;
    await addJob(channel, definitionOf('report', { schedule: '@manual', user: 'backup' }));
    const before = await askCli(['doctor'], { url });
    assert.match(
      before.stdout,
      /^ok +users of jobs +no node refused the last run of a job for its user: backup$/m,
    );
    await world.join('web2', { facts: { users: ['www-data'] } });
    const nowhere = await askCli(['doctor'], { url });
    assert.match(nowhere.stdout, /^warn +users of jobs +no live node allows jobs of backup: /m);
    await world.rows("UPDATE session SET state = 'ended' WHERE node_name = 'web2'");
    await runJob(channel, 'report', 'r1');
    const node = await world.join('web1');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    const reason = reasons.userNotAllowed('backup');
    await node.finish(launch, { result: 'spawn_failed', exitCode: null, reason });
    const refused = /^warn +users of jobs +report on web1: .* start it with --allow-user backup/m;
    const { code, stdout } = await askCli(['doctor'], { url });
    assert.equal(code, 0);
    assert.match(stdout, refused);
    // A tick that starts nothing, as each of an observed job, changes nothing of it.
    await askCli(['job', 'edit', 'report', '--observed', '--cron', '* * * * * *'], { url });
    await world.rows("UPDATE slot SET cursor_at = '2020-01-01', next_run_at = '2020-01-01'");
    await node.claim();
    const [last] = await world.rows('SELECT result FROM run ORDER BY run_id DESC');
    assert.equal(last?.result, 'skipped');
    const after = await askCli(['doctor'], { url });
    assert.match(after.stdout, refused);
  });

  test('the doctor says that a database was never migrated, or is newer', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.rows("INSERT INTO migration (migration_name) VALUES ('9999_future.sql')");
    const usable = await askCli(['doctor'], { url: world.url });
    assert.match(
      usable.stdout,
      /^ok +schema +it is newer than this version, which may use it: 99/m,
    );
    await world.rows(
      "INSERT INTO note (note_name, note_value) VALUES ('oldest_version', '99.0.0')",
    );
    const newer = await askCli(['doctor'], { url: world.url });
    assert.equal(newer.code, 1);
    assert.match(newer.stdout, /^FAIL +schema +it is newer than this version: 9999_future/m);
    const refused = await askCli(['migrate'], { url: world.url });
    assert.equal(refused.code, 78);
  });
});
