import assert from 'node:assert/strict';
import { formatInstant } from '../../../src/cli/output/formatInstant.ts';
import { seedMinutes } from '../../store/verify/seedMinutes.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

interface Verified {
  ok: boolean;
  jobs: number;
  runs: number;
  ticks: number;
  broken: number;
  warnings: number;
  since: string | null;
  counts: Record<string, number>;
  findings: Record<string, unknown>[];
}

async function minutesWorld(t: Parameters<typeof makeStoreWorld>[0]): Promise<StoreWorld> {
  const world = await makeStoreWorld(t, 'mariadb');
  await seedMinutes(world, { name: 'minutes', runs: 120 });
  await seedMinutes(world, { name: "it's me", runs: 30 });
  return world;
}

testBothWays('verify is short and ends with 0 when no promise is broken', async (t, way) => {
  const cli = await reach(t, way, await minutesWorld(t));
  const { code, stdout, stderr } = await askCli(['verify'], cli);
  assert.equal(code, 0, stdout);
  assert.equal(stderr, '', 'there is no terminal to show progress on');
  assert.match(
    stdout,
    /^2 jobs, 150 history rows, 150 ticks accounted for, as of \S+ \S+ \S+, in \S+ s\.$/m,
  );
  assert.match(stdout, /^No promise is broken\.$/m);
  assert.equal(stdout.trim().split('\n').length, 2);
  const { findings, ok, ticks, since } = await askJsonCli<Verified>(['verify'], cli);
  assert.deepEqual([ok, ticks, since, findings], [true, 150, null, []]);
  await askCli(['job', 'remove', 'minutes'], cli);
  const removed = await askCli(['verify'], cli);
  assert.match(removed.stdout, /^1 job and 1 removed, \d+ history rows, /m);
  const cluster = await askCli(['cluster'], cli);
  assert.match(cluster.stdout, /, 1 job\.$/m, 'one that is removed does not count');
});

testBothWays(
  'verify ends with 1 and says which job and tick, what it means, where to look',
  async (t, way) => {
    const world = await minutesWorld(t);
    const cli = await reach(t, way, world);
    await world.rows(
      `UPDATE job_revision SET definition = JSON_SET(definition, '$.timezone', 'Asia/Tokyo')`,
    );
    const where = `launch_id = 'sminutes:55'`;
    const [row] = await world.rows(`SELECT scheduled_for FROM run WHERE ${where}`);
    const scheduledFor = row?.scheduled_for as Date;
    const tick = scheduledFor.toISOString();
    await world.rows(`DELETE FROM run WHERE ${where}`);
    const { code, stdout } = await askCli(['verify'], cli);
    assert.equal(code, 1);
    const short = formatInstant(tick, 'Asia/Tokyo');
    const lines = stdout.split('\n');
    assert.equal(
      lines[0],
      `WRONG tick missing: job minutes: tick ${short} is accounted for nowhere`,
    );
    assert.match(lines[1] ?? '', /^ {2}The job was due and nothing says what became of it/);
    assert.match(lines[2] ?? '', /^ {2}→ statecron runs --job minutes/);
    assert.match(stdout, /^THE HISTORY IS WRONG in 1 place\.$/m);
    const json = await askCli(['verify', '--json'], cli);
    assert.equal(json.code, 1);
    const verified = JSON.parse(json.stdout) as Verified;
    assert.deepEqual(
      [verified.ok, verified.broken, verified.counts],
      [false, 1, { tick_missing: 1 }],
    );
    const [finding] = verified.findings;
    const { code: rule, promise, severity, job } = finding ?? {};
    assert.deepEqual([rule, promise, severity, job], ['tick_missing', 'P19', 'broken', 'minutes']);
    assert.deepEqual([finding?.tick, finding?.tickUntil, finding?.ticks], [tick, tick, 1]);

    const since = ['verify', '--since', '10m'];
    assert.equal((await askCli(since, cli)).code, 0);
    assert.equal((await askCli(['verify', '--since', tick], cli)).code, 1);
    const after = new Date(Date.parse(tick) + 1_000).toISOString();
    assert.equal((await askCli(['verify', '--since', after], cli)).code, 0);
    assert.equal((await askCli(['verify', '--job', "it's me"], cli)).code, 0);
  },
);

testBothWays('a thousand findings are a page of text, and all are counted', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await seedMinutes(world, { name: "it's me", runs: 2_000 });
  await world.rows('DELETE FROM run WHERE run_id % 2 = 0');
  const { code, stdout } = await askCli(['verify'], await reach(t, way, world));
  assert.equal(code, 1);
  assert.ok(stdout.split('\n').length < 20, stdout);
  assert.match(stdout, /^… and \d{3} more like these\. All of them: tick_missing \d+\.$/m);
  assert.match(stdout, /→ statecron runs --job 'it'\\''s me'/);
});

testBothWays('verify refuses what it cannot verify, and says what to do', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const nobody = await askCli(['verify', '--job', 'nobody'], cli);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /There is no job "nobody"/);
  const badly = await askCli(['verify', '--since', 'yesterday'], cli);
  assert.equal(badly.code, 2);
  assert.match(badly.stderr, /--since: "yesterday" is neither .* nor a time ago as 7d\./);
  await world.rows("INSERT INTO migration (migration_name) VALUES ('9999_future.sql')");
  const newer = await askCli(['verify', '--json'], cli);
  assert.equal(newer.code, 78);
  assert.equal(JSON.parse(newer.stderr).error.code, 'schema_newer');
});
