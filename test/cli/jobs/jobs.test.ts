import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

interface Shown {
  definition: {
    command: string;
    schedule: string;
    timezone: string;
    env: Record<string, string>;
    timeoutMs: number | null;
    cwd: string | null;
    stdin: string | null;
  };
  paused: boolean;
  revision: number;
  next: string[];
  slots: { state: string; cursorAt: string | null }[];
  revisions: { revision: number; inForceUntil: string | null }[];
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

testBothWays(
  'a job goes through add, show, edit, pause, resume, list and remove',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const show = () => askJsonCli<Shown>(['job', 'show', 'nightly'], cli);
    const flags = ['--timezone', 'Europe/Berlin', '--timeout', '1h30m', '--cwd', '/srv'];
    const env = ['--env', 'A=1', '--env', 'B=x=y', '--env', 'C='];
    const added = await askJsonCli<{ revision: number; next: string; inForceFrom: string }>(
      ['job', 'add', 'nightly', '--cron', '30 3 * * *', '--command', 'echo $A', ...flags, ...env],
      cli,
    );
    assert.equal(added.revision, 1);
    assert.match(added.next, iso);
    assert.match(added.inForceFrom, iso);

    const first = await show();
    assert.deepEqual(first.definition.env, { A: '1', B: 'x=y', C: '' });
    assert.deepEqual(
      [first.definition.timezone, first.definition.timeoutMs, first.definition.cwd],
      ['Europe/Berlin', 5_400_000, '/srv'],
    );
    assert.equal(first.next.length, 5);
    assert.equal(first.next[0], added.next);

    const edit = [
      '--unset-env',
      'A',
      '--env',
      'B=2',
      '--no-timeout',
      '--no-cwd',
      '--stdin',
      'in\n',
    ];
    assert.equal((await askCli(['job', 'edit', 'nightly', ...edit], cli)).code, 0);
    const edited = await show();
    const { timeoutMs, cwd, stdin } = edited.definition;
    assert.deepEqual(edited.definition.env, { B: '2', C: '' });
    assert.deepEqual([timeoutMs, cwd, stdin], [null, null, 'in\n']);
    assert.deepEqual(
      [edited.definition.command, edited.definition.schedule, edited.revision],
      ['echo $A', '30 3 * * *', 2],
    );

    assert.match((await askCli(['job', 'pause', 'nightly'], cli)).stdout, /^Paused nightly\.\n$/);
    assert.match((await askCli(['job', 'pause', 'nightly'], cli)).stdout, /is paused already/);
    const paused = await show();
    assert.deepEqual([paused.paused, paused.next, paused.slots[0]?.cursorAt], [true, [], null]);
    const resumed = await askJsonCli<{ changed: boolean; next: string }>(
      ['job', 'resume', 'nightly'],
      cli,
    );
    assert.equal(resumed.changed, true);
    assert.match(resumed.next, iso);
    assert.equal((await show()).revisions.filter((each) => each.inForceUntil === null).length, 1);

    const listed = await askJsonCli<{ job: string; paused: boolean }[]>(['job', 'list'], cli);
    assert.deepEqual(
      listed.map(({ job, paused }) => [job, paused]),
      [['nightly', false]],
    );
    assert.match((await askCli(['job', 'list', 'NIGHT'], cli)).stderr, /No job has "NIGHT"/);
    assert.equal((await askCli(['job', 'remove', 'nightly'], cli)).code, 0);
    const gone = await askCli(['job', 'show', 'nightly', '--json'], cli);
    assert.equal(gone.code, 1);
    assert.equal(JSON.parse(gone.stderr).error.code, 'job_missing');
    assert.equal(gone.stdout, '');
  },
);

testBothWays('a taken name ends with 1 and says what to do', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const add = ['job', 'add', 'x', '--cron', '@daily', '--command', 'true'];
  assert.equal((await askCli(add, cli)).code, 0);
  const again = await askCli(add, cli);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^statecron: There is a job "x" already\.\nhint: .*job edit\n$/);
});

const flawed: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an empty name', ['', '--cron', '@daily', '--command', 'true'], /^statecron: NAME: is empty/],
  [
    'a long name',
    ['n'.repeat(192), '--cron', '@daily', '--command', 'true'],
    /192 characters; 191/,
  ],
  ['a name with an escape', ['a\u001b[2J', '--cron', '@daily', '--command', 'true'], /control/],
  ['a missing schedule', ['x', '--command', 'true'], /--cron is missing\.\nhint: See/],
  [
    'a job that follows another without a schedule',
    ['x', '--command', 'true', '--after', 'y'],
    /--cron is missing\.\nhint: A job that only runs after others has --cron @manual\n/,
  ],
  ['a missing command', ['x', '--cron', '@daily'], /--command is missing/],
  ['an empty command', ['x', '--cron', '@daily', '--command', ' '], /--command: is empty/],
  ['a bad schedule', ['x', '--cron', '61 * * * *', '--command', 'true'], /--cron: minute.*61/],
  ['a schedule that never comes', ['x', '--cron', '0 0 30 2 *', '--command', 'true'], /no time/],
  [
    'an instant that is past',
    ['x', '--cron', '@at 2001-01-01T00:00:00Z', '--command', 'true'],
    /in the past/,
  ],
  ['@reboot', ['x', '--cron', '@reboot', '--command', 'true'], /no reboot/],
  [
    'a bad zone',
    ['x', '--cron', '@daily', '--command', 'true', '--timezone', 'CST'],
    /--timezone: "CST" is not a zone/,
  ],
  ['a bad duration', ['x', '--cron', '@daily', '--command', 'a', '--timeout', '5'], /--timeout/],
  ['no time at all', ['x', '--cron', '@daily', '--command', 'a', '--timeout', '0s'], /--timeout/],
  ['a variable without =', ['x', '--cron', '@daily', '--command', 'a', '--env', 'A'], /no "="/],
  ['a bad variable', ['x', '--cron', '@daily', '--command', 'a', '--env', '1A=2'], /"1A"/],
  [
    'a variable of ours',
    ['x', '--cron', '@daily', '--command', 'a', '--env', 'STATECRON_JOB=2'],
    /STATECRON_JOB is set by statecron/,
  ],
  ['a relative folder', ['x', '--cron', '@daily', '--command', 'a', '--cwd', 'b'], /absolute/],
  [
    'an unknown policy',
    ['x', '--cron', '@daily', '--command', 'a', '--leftovers', 'b'],
    /leftovers/,
  ],
  [
    'too much output',
    ['x', '--cron', '@daily', '--command', 'a', '--output-max', '1024M'],
    /bytes/,
  ],
];

for (const [what, args, expected] of flawed) {
  test(`job add refuses ${what} with 2, naming the field, without a database`, async () => {
    const result = await askCli(['job', 'add', ...args]);
    assert.equal(result.code, 2, result.stderr);
    assert.match(result.stderr, expected);
    assert.equal(result.stdout, '');
    assert.equal(result.stderr.trimEnd().split('\n').length, 2, 'one line what, one line hint');
    assert.doesNotMatch(result.stderr, /[^\P{Cc}\n]/u);
  });
}

testBothWays(
  'a command of 140 kB and a missing folder are taken: their run will say so',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const command = `true ${'x'.repeat(100_000)}`;
    const add = [
      'job',
      'add',
      'big',
      '--cron',
      '@daily',
      '--command',
      command,
      '--cwd',
      '/missing',
    ];
    assert.equal((await askCli(add, cli)).code, 0);
    assert.equal(
      (await askJsonCli<Shown>(['job', 'show', 'big'], cli)).definition.command,
      command,
    );
    await askCli(['job', 'edit', 'big', '--command', `${command}y`], cli);
    for (const args of [['job', 'list'], ['job', 'show', 'big'], ['audit']]) {
      const { stdout } = await askCli(args, cli);
      assert.ok(stdout.includes(`${command}y`), `${args[0]} writes it whole into a pipe`);
    }
  },
);

testBothWays('a zone in the schedule becomes the zone of the job', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const cron = 'CRON_TZ=Asia/Tokyo 0 9 * * *';
  await askCli(['job', 'add', 'tokyo', '--cron', cron, '--command', 'true'], cli);
  const job = await askJsonCli<Shown>(['job', 'show', 'tokyo'], cli);
  assert.equal(job.definition.timezone, 'Asia/Tokyo');
  assert.match(job.next[0] ?? '', /T00:00:00\.000Z$/);
  const moved = await askCli(['job', 'edit', 'tokyo', '--cron', '0 9 * * *'], cli);
  assert.equal(moved.code, 0);
  assert.equal(
    (await askJsonCli<Shown>(['job', 'show', 'tokyo'], cli)).definition.timezone,
    'Asia/Tokyo',
  );
});

testBothWays('control characters of jobs never reach a terminal', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const command = 'echo \u001b]52;c;aGk=\u0007\u009b2J\u202e';
  await askCli(['job', 'add', 'evil', '--cron', '@daily', '--command', command], cli);
  for (const args of [['list'], ['show', 'evil'], ['list', '--json'], ['show', 'evil', '--json']]) {
    const { stdout } = await askCli(['job', ...args], cli);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\u202e/u);
  }
  const shown = await askJsonCli<Shown>(['job', 'show', 'evil'], cli);
  assert.equal(shown.definition.command, command, 'JSON gives the text back whole');
});
