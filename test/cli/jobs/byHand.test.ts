import assert from 'node:assert/strict';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

testBothWays(
  'a run by hand has its variables, is found by its request, retried and stopped',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const { join } = world;
    const cli = await reach(t, way, world);
    await askCli(['job', 'add', 'job', '--cron', '@manual', '--command', 'true'], cli);
    const node = await join('web1');
    const flags = ['--env', 'A=1', '--node', 'web1', '--request-id', 'by-me'];
    const asked = await askCli(['job', 'run', 'job', ...flags], cli);
    assert.equal(asked.code, 0, asked.stderr);
    const waiting = await askCli(['run', 'show', 'by-me'], cli);
    assert.match(waiting.stdout, /result +waiting\n/);
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(launch.definition.env, { A: '1' });
    await node.start(launch);
    await node.finish(launch, { result: 'failed', exitCode: 3, output: Buffer.from('hello\n') });
    const shown = await askJsonCli<{ runId: number; launchId: string }>(
      ['run', 'show', 'by-me'],
      cli,
    );
    assert.equal(shown.launchId, launch.launchId);
    const byNumber = await askCli(['run', 'show', `${shown.runId}`], cli);
    assert.match(byNumber.stdout, new RegExp(`launch +${launch.launchId}\n`));
    const retried = await askCli(['run', 'retry', `${shown.runId}`], cli);
    assert.match(retried.stdout, /^Requested attempt 2 of job after run \S+\.$/m);
    const again = await askCli(['run', 'retry', launch.launchId], cli);
    assert.match(again.stdout, /^Attempt 2 of job is waiting or going on already\.$/m);
    const [second] = await node.claim();
    assert.ok(second);
    await node.start(second);
    await node.finish(second, { result: 'succeeded', exitCode: 0, output: Buffer.from('') });
    const third = await askCli(['run', 'retry', `${shown.runId}`], cli);
    assert.match(third.stdout, /^Requested attempt 3 of job after /);
    assert.match(
      third.stderr,
      /had been tried again before \(attempt 2\): statecron runs --job job/,
    );
    const stopped = await askJsonCli(['run', 'stop', 'by-me'], cli);
    assert.deepEqual(stopped, { launchId: null, answer: 'withdrawn', withdrawn: 1 });
    await askCli(['job', 'run', 'job', '--request-id', 'again'], cli);
    const withdrawn = await askCli(['run', 'stop', 'again'], cli);
    assert.match(withdrawn.stdout, /^again of job is withdrawn: /);
    const none = await askCli(['run', 'stop', 'nobody'], cli);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no run with the (launch )?id "nobody"/);
  },
);

const refusals: [string[], number, RegExp][] = [
  [['job', 'run', 'job', '--env', 'A'], 2, /no "="/],
  [['job', 'run', 'job', '--env', '1=2'], 2, /--env: "1" is no variable's name/],
  [['job', 'run', 'job', '--node', 'nobody'], 1, /No node of the name "nobody" is live/],
  [['job', 'run', 'job', '--wait-timeout', '1s'], 2, /--wait-timeout: needs --wait/],
  [['job', 'run', 'job', '--request-id', 'chain:x'], 2, /--request-id: may not begin with/],
  [['job', 'pause', 'job', '--until', 'soon'], 2, /--until: "soon" is neither an instant/],
  [['job', 'pause', 'job', '--until', '2020-01-01T00:00:00Z'], 2, /until: .* is over already/],
  [['job', 'skip-next', 'job', '--count', '0'], 2, /--count.*1 to 1000/],
  [['job', 'skip-next', 'manual'], 1, /names no further tick/],
  [['backfill', 'job', '--from', '2020-01-01T00:00:00Z'], 2, /--to/],
];

testBothWays(
  'what cannot be done by hand is refused with the flag or the reason',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    await askCli(['job', 'add', 'job', '--cron', '@daily', '--command', 'true'], cli);
    await askCli(['job', 'add', 'manual', '--cron', '@manual', '--command', 'true'], cli);
    for (const [args, code, expected] of refusals) {
      const result = await askCli(args, cli);
      assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
      assert.match(result.stderr, expected);
    }
  },
);

testBothWays('ticks are skipped and backfilled, and a pause has an end', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  await askCli(['job', 'add', 'job', '--cron', '0 3 * * *', '--command', 'true'], cli);
  const skipped = await askJsonCli<{ skipped: { ticks: string[]; next: string }[] }>(
    ['job', 'skip-next', 'job', '--count', '2'],
    cli,
  );
  const [slot] = skipped.skipped;
  assert.equal(slot?.ticks.length, 2);
  assert.match(slot?.next ?? '', iso);
  const days = ['--from', '2020-02-28T00:00:00Z', '--to', '2020-03-01T23:59:59Z'];
  const dry = await askCli(['backfill', 'job', ...days, '--dry-run'], cli);
  assert.deepEqual(dry.stdout.trim().split('\n'), [
    '2020-02-28T03:00:00+00:00',
    '2020-02-29T03:00:00+00:00',
    '2020-03-01T03:00:00+00:00',
  ]);
  assert.match((await askCli(['backfill', 'job', ...days], cli)).stderr, /Requested 3 runs/);
  const again = await askCli(['backfill', 'job', ...days], cli);
  assert.match(again.stderr, /Requested 0 runs .*; 3 were requested before\./);
  const paused = await askCli(['job', 'pause', 'job', '--until', '2090-01-01T00:00:00Z'], cli);
  assert.match(paused.stdout, /^Paused job until 2090-01-01 00:00:00 \+00:00 \(in .*\)\.$/m);
  const twice = await askCli(['job', 'pause', 'job', '--until', '2090-01-01T00:00:00Z'], cli);
  assert.match(twice.stdout, /^job is paused already, until 2090-01-01 00:00:00 \+00:00 \(/m);
  const shown = await askCli(['job', 'show', 'job'], cli);
  assert.match(shown.stdout, /state +paused until 2090-01-01 00:00:00 \+00:00 \(/);
});

testBothWays(
  'a time of day is the next one or the last, in the zone of the job',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const tokyo = ['--timezone', 'Asia/Tokyo', '--command', 'true'];
    await askCli(['job', 'add', 'job', '--cron', '@hourly', ...tokyo], cli);
    const day = String.raw`20\d\d-\d\d-\d\d`;
    const paused = await askCli(['job', 'pause', 'job', '--until', '20:00'], cli);
    assert.match(paused.stdout, new RegExp(`^Paused job until ${day} 20:00:00 \\+09:00 \\(in `));
    const hour = ['--from', '23:00', '--to', '23:00', '--dry-run'];
    const dry = await askCli(['backfill', 'job', ...hour], cli);
    assert.match(dry.stdout, new RegExp(`^${day}T23:00:00\\+09:00\\n$`), dry.stderr);
    assert.match(dry.stderr, new RegExp(`^23:00 is read as ${day} 23:00:00 \\+09:00\\.$`, 'm'));
    const since = ['runs', '--job', 'job', '--since', '06:00'];
    const { stderr } = await askCli(since, cli);
    assert.match(stderr, new RegExp(`^06:00 is read as ${day} 06:00:00 \\+09:00\\.$`, 'm'));
  },
);

testBothWays('what changes a job says its next tick, in its zone, or run', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const daily = ['--cron', '0 3 * * *', '--command', 'true', '--observed'];
  const observed = 'observed: it starts nothing, next tick';
  const changes: [string[], string][] = [
    [['job', 'add', 'job', ...daily, '--timezone', 'Asia/Tokyo'], observed],
    [['job', 'skip-next', 'job', '--count', '2'], observed],
    [['job', 'edit', 'job', '--nice', '1'], observed],
    [['job', 'resume', 'job'], observed],
    [['job', 'go-live', 'job'], 'next run'],
    [['job', 'resume', 'job'], 'next run'],
  ];
  for (const [args, said] of changes) {
    const { stderr, stdout } = await askCli(args, cli);
    const expected = new RegExp(`; ${said} \\S+ 03:00:00 \\+09:00`);
    assert.match(stdout, expected, `${args.join(' ')}: ${stderr}`);
    assert.doesNotMatch(stdout, /\+00:00/);
  }
});
