import assert from 'node:assert/strict';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { askCli, askJsonCli } from './askCli.ts';
import { runCli } from './runCli.ts';
import { reach, testBothWays } from './ways.ts';

interface Applied {
  added: number;
  edited: number;
  unchanged: number;
  removed: number;
  plan: { action: string; job: string; group: string; changes: string[] }[];
}

const counts = ({ added, edited, unchanged, removed }: Applied) => [
  added,
  edited,
  unchanged,
  removed,
];

const file = `group: web
jobs:
  report:
    cron: ['0 8 * * MON-FRI', '0 10 * * SAT']
    timezone: Europe/Berlin
    command: report.sh "$LEVEL"
    env: { LEVEL: full }
    after: [fetch:failure]
    retries: 2
  fetch:
    cron: '*/10 * * * *'
    command: fetch.sh
    timeout: 5m
    tag: [net]
`;

testBothWays(
  'a file is applied once, edited, pruned, and its export is applied as a no-op',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const apply = (input: string, ...flags: string[]) =>
      askJsonCli<Applied>(['apply', '-', ...flags], { ...cli, input });
    const dry = await apply(file, '--dry-run');
    assert.deepEqual(counts(dry), [2, 0, 0, 0]);
    assert.deepEqual(
      dry.plan.map(({ job }) => job),
      ['fetch', 'report'],
      'a job comes after the one that it follows',
    );
    assert.deepEqual(await askJsonCli(['job', 'list'], cli), [], 'a dry run does nothing');
    assert.deepEqual(counts(await apply(file)), [2, 0, 0, 0]);
    assert.deepEqual(counts(await apply(file)), [0, 0, 2, 0]);
    const edited = await apply(file.replace('5m', '6m').replace('    retries: 2\n', ''));
    assert.deepEqual(
      edited.plan.map(({ action, job, changes }) => [action, job, changes]),
      [
        ['edit', 'fetch', ['timeout']],
        ['edit', 'report', ['retries']],
      ],
    );
    const others = ['--cron', '@daily', '--command', 'true'];
    await askCli(['job', 'add', 'by hand', ...others, '--group', 'web'], cli);
    await askCli(['job', 'add', 'elsewhere', ...others], cli);
    const exported = await askCli(['export'], cli);
    assert.equal(exported.code, 0, exported.stderr);
    assert.deepEqual(counts(await apply(exported.stdout, '--prune')), [0, 0, 4, 0]);
    const ofGroup = await askCli(['export', '--group', 'web'], cli);
    assert.deepEqual(counts(await apply(ofGroup.stdout, '--prune')), [0, 0, 3, 0]);

    const unasked = await askCli(['apply', '-', '--prune'], { ...cli, input: file });
    assert.equal(unasked.code, 2);
    assert.match(unasked.stdout, /remove +by hand/);
    assert.match(unasked.stderr, /1 jobs would be removed\. Nothing was changed\./);
    const pruned = await apply(file, '--prune', '--yes');
    assert.deepEqual(counts(pruned), [0, 2, 0, 1]);
    const left = await askJsonCli<{ job: string }[]>(['job', 'list'], cli);
    assert.deepEqual(
      left.map(({ job }) => job),
      ['elsewhere', 'fetch', 'report'],
      'another group is left alone',
    );
  },
);

const faulty: [string, string, RegExp][] = [
  ['a bad schedule', file.replace('*/10 * * * *', '61 * * * *'), /:11: "fetch": cron: .*minute/],
  [
    'a missing upstream',
    file.replace('fetch:failure', 'nobody'),
    /:3: "report": after: .*"nobody"/,
  ],
  ['a circle', `${file}    after: [report]\n`, /circle: "(report|fetch)" → "(fetch|report)" → /],
  [
    'another group',
    file.replace('    retries: 2', '    group: db'),
    /:9: "report": group: it is db/,
  ],
  ['no command', file.replace('    command: fetch.sh\n', ''), /:10: "fetch": command is missing/],
];

testBothWays('a file with anything wrong in it changes nothing', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  for (const [what, input, expected] of faulty) {
    const result = await askCli(['apply', '-', '--format', 'yaml'], { ...cli, input });
    assert.equal(result.code, 2, `${what}: ${result.stdout}`);
    assert.match(result.stderr, expected, what);
  }
  assert.deepEqual(await askJsonCli(['job', 'list'], cli), []);
  await askCli(['job', 'add', 'fetch', '--cron', '@daily', '--command', 'x'], cli);
  const taken = await runCli(['apply', '-'], { ...cli, input: file });
  assert.equal(taken.code, 2);
  assert.match(taken.stderr, /"fetch": a job of this name belongs to the group default/);
});

const crontab = `CRON_TZ=Europe/Berlin
# nightly
30 3 * * * backup.sh --all 2>&1 | tee "$(date +\\%F)"
LEVEL=full
# report
0 9 * * 1-5 report.sh%first line%second
`;

testBothWays(
  'a crontab is applied, keeps what it cannot say, and is exported again',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const apply = (input: string, ...flags: string[]) =>
      askJsonCli<Applied>(['apply', '-', ...flags], { ...cli, input });
    assert.deepEqual(counts(await apply(crontab)), [2, 0, 0, 0]);
    const edit = ['--timeout', '1h', '--overlap', 'queue'];
    assert.equal((await askCli(['job', 'edit', 'nightly', ...edit], cli)).code, 0);
    assert.deepEqual(counts(await apply(crontab)), [0, 0, 2, 0]);
    const exported = await askCli(['export', '--format', 'crontab'], cli);
    assert.match(exported.stdout, /# {3}--overlap "queue"/);
    assert.deepEqual(counts(await apply(exported.stdout, '--prune')), [0, 0, 2, 0]);
    const report = await askJsonCli<{ stdin: string; env: object }>(['job', 'show', 'report'], cli);
    assert.deepEqual([report.stdin, report.env], ['first line\nsecond\n', { LEVEL: 'full' }]);
  },
);
