import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

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
    assert.match(unasked.stderr, /1 job would be removed\. Nothing was changed\./);
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

interface Listed {
  readonly job: string;
  readonly paused: boolean;
  readonly resumeAt: string | null;
  readonly next: string | null;
}

testBothWays('what is paused is so where its export is applied', async (t, way) => {
  const here = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const there = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const pauses = async (cli: typeof here) =>
    (await askJsonCli<Listed[]>(['job', 'list'], cli)).map(({ job, paused, resumeAt, next }) => {
      return [job, paused, resumeAt ?? null, next !== null];
    });
  const done = async (args: string[], cli = here) => {
    const { code, stdout, stderr } = await askCli(args, cli);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const every = ['--cron', '* * * * *', '--command', 'true'];
  for (const name of ['rests', 'runs', 'waits']) await done(['job', 'add', name, ...every]);
  await done(['job', 'pause', 'rests']);
  await done(['job', 'pause', 'waits', '--until', '2130-01-31T09:30:00Z']);
  const input = await done(['export']);
  const apply = (file: string) => askJsonCli<Applied>(['apply', '-'], { ...there, input: file });
  assert.deepEqual(counts(await apply(input)), [3, 0, 0, 0]);
  const asHere = [
    ['rests', true, null, false],
    ['runs', false, null, true],
    ['waits', true, '2130-01-31T09:30:00.000Z', false],
  ];
  assert.deepEqual(await pauses(there), asHere);
  assert.deepEqual(counts(await apply(input)), [0, 0, 3, 0]);

  // What a file does not say of a pause is the operator's; what it says is so again.
  for (const name of ['rests', 'waits']) await done(['job', 'resume', name], there);
  await done(['job', 'pause', 'runs'], there);
  const again = await apply(input);
  assert.deepEqual(
    again.plan.map(({ action, job, changes }) => [action, job, changes]),
    [
      ['edit', 'rests', ['paused']],
      ['unchanged', 'runs', []],
      ['edit', 'waits', ['paused']],
    ],
  );
  assert.deepEqual(await pauses(there), [asHere[0], ['runs', true, null, false], asHere[2]]);
  const resumed = input.replace('runs:', 'runs:\n    paused: false').replace('2130', '2020');
  await apply(resumed);
  assert.deepEqual(
    (await pauses(there)).map(([job, paused]) => [job, paused]),
    [
      ['rests', true],
      ['runs', false],
      ['waits', false],
    ],
    'a pause that is over is none',
  );
});

testBothWays('a job may be added paused', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const add = (name: string, ...flags: string[]) =>
    askCli(['job', 'add', name, '--cron', '* * * * *', '--command', 'x', ...flags], cli);
  const rests = await add('rests', '--paused');
  assert.deepEqual([rests.code, rests.stdout], [0, 'Added rests; it is paused.\n'], rests.stderr);
  const waits = await add('waits', '--paused-until', '2130-01-31T09:30:00Z');
  assert.equal(waits.stdout, 'Added waits; it is paused until 2130-01-31 09:30:00 +00:00.\n');
  for (const job of await askJsonCli<Listed[]>(['job', 'list'], cli)) {
    assert.deepEqual([job.paused, job.next], [true, null]);
  }
  const over = await add('over', '--paused-until', '2020-01-31T09:30:00Z');
  assert.deepEqual([over.code, /--paused-until: .* is over/.test(over.stderr)], [2, true]);
  const vague = await add('vague', '--paused-until', 'tomorrow');
  assert.deepEqual(
    [vague.code, /--paused-until: .* neither an inst/.test(vague.stderr)],
    [2, true],
  );
  assert.equal((await askCli(['job', 'resume', 'rests'], cli)).code, 0);
  const [first] = await askJsonCli<Listed[]>(['job', 'list'], cli);
  assert.ok(first?.next, 'it is due from then on');
});

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
    assert.equal(exported.code, 1, 'what is in comments only is not in force');
    assert.match(exported.stderr, /^nightly is there only in part: .* --overlap, --timeout\.$/m);
    assert.deepEqual(counts(await apply(exported.stdout, '--prune')), [0, 0, 2, 0]);
    type Shown = { definition: { stdin: string; env: object } };
    const { definition } = await askJsonCli<Shown>(['job', 'show', 'report'], cli);
    assert.deepEqual(
      [definition.stdin, definition.env],
      ['first line\nsecond\n', { LEVEL: 'full' }],
    );
  },
);

test('a crontab keeps the name that 0.6 gave a job by the first word of its command', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const input = '0 3 * * * nohup sleep 30\n0 4 * * * nohup sleep 40\n';
  const apply = async () =>
    counts(JSON.parse((await runCli(['apply', '-', '--json'], { url, input })).stdout) as Applied);
  for (const [name, command] of [
    ['nohup', 'nohup sleep 30'],
    ['nohup 2', 'nohup sleep 40'],
  ] as const) {
    await askCli(['job', 'add', name, '--cron', '@daily', '--command', command], { url });
  }
  assert.deepEqual(await apply(), [0, 2, 0, 0]);
  assert.deepEqual(await apply(), [0, 0, 2, 0]);
});

/** Each with why it cannot stand in a crontab that cron shall run. */
const noCronJobs: [string, string[], RegExp][] = [
  ['asked', ['--cron', '@manual'], /it has no schedule/],
  ['at once', ['--cron', '@at 2060-01-31T09:30:00Z'], /no cron reads its schedule @at/],
  ['often', ['--cron', '@every 90s'], /no cron reads its schedule @every 90s/],
  ['seconds', ['--cron', '*/10 * * * * *'], /no cron reads its schedule \*\/10/],
  ['last day', ['--cron', '0 0 L * *'], /no cron reads its schedule 0 0 L/],
  ['hashed', ['--cron', 'H * * * *'], /no cron reads its schedule H/],
  ['either day', ['--cron', '0 0 */2 * MON'], /no cron reads its schedule 0 0 \*\/2 \* MON/],
  ['twice', ['--cron', '@daily', '--cron', '@weekly'], /it has several schedules/],
  ['rests', ['--cron', '@daily', '--paused'], /it is paused/],
  [
    'there',
    ['--cron', '@daily', '--on-node', 'web1'],
    /it has --on-node web1 \(it is written by: statecron export .* --on-node web1\)\.$/m,
  ],
  ['excluded', ['--cron', '@daily', '--exclude', 'SUN'], /a crontab has no --exclude/],
];

test('no crontab has what cron would run otherwise: it is named, and the end is 1', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const plain = ['30 3 1,15 * MON-FRI', '*/5 9-17 * JAN *', '@weekly'];
  for (const [place, cron] of plain.entries()) {
    await askCli(['job', 'add', `job ${place}`, '--cron', cron, '--command', 'true'], { url });
  }
  const whole = await askCli(['export', '--format', 'crontab'], { url });
  assert.deepEqual([whole.code, whole.stderr], [0, '']);
  assert.equal(whole.stdout.match(/^[^#\n].* true$/gm)?.length, plain.length);
  for (const [name, flags] of noCronJobs) {
    const added = await askCli(['job', 'add', name, '--command', 'true', ...flags], { url });
    assert.equal(added.code, 0, added.stderr);
  }
  const { code, stdout, stderr } = await askCli(['export', '--format', 'crontab'], { url });
  assert.equal(code, 1);
  assert.equal(stdout.match(/^[^#\n].* true$/gm)?.length, plain.length, stdout);
  const summary = `incomplete: ${noCronJobs.length} jobs are left out\\.`;
  assert.match(stderr, new RegExp(summary));
  for (const [name, , why] of noCronJobs) {
    const line = stderr.split('\n').find((each) => each.startsWith(`${name} is left out: `));
    assert.match(line ?? '', why, name);
    assert.ok(stdout.includes(`#   ${JSON.stringify(name)}: `), name);
  }
});
