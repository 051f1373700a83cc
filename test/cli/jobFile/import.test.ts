import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Scope } from '../../support/createDatabase.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runCli, runJsonCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

interface Imported {
  format: string;
  added: number;
  updated: number;
  unchanged: number;
  failed: number;
  lines: { line: number; result: string; job?: { name: string }; message?: string }[];
}

const nasty = `# m h  dom mon dow   command
SHELL=/bin/bash
MAILTO="ops@example.com"
PATH = /usr/local/bin:/usr/bin:/bin\t
CRON_TZ=America/New_York

# Nightly backup
30 3 * * mon-fri  backup --to "$HOME/x"  # not a comment
# Nightly backup
30 4 * * * backup --again
@daily mail -s report\\%20now ops%Dear all,%%here are 100\\% of it
@reboot start-me
*/15 * * * too-few
0 0 30 2 * never
FOO="unclosed
\t 5 4 * * sun \techo last line without newline`;

async function makeFile(scope: Scope, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-import-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

testBothWays(
  'a nasty crontab is imported line by line, and what cannot be is reported',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const file = await makeFile(t, 'crontab', nasty);
    const dry = await askCli(['import', file, '--dry-run', '--json'], cli);
    assert.equal(dry.code, 1);
    const refused = await askCli(['import', file, '--json'], cli);
    assert.equal(refused.code, 1);
    assert.equal(JSON.parse(refused.stderr).error.code, 'import_faults');
    assert.equal((await askJsonCli<unknown[]>(['job', 'list'], cli)).length, 0, 'all or nothing');

    const first = await askCli(['import', file, '--json', '--skip-faults'], cli);
    assert.equal(first.code, 0);
    const report: Imported = JSON.parse(first.stdout);
    assert.deepEqual(JSON.parse(dry.stdout).added, report.added);
    assert.deepEqual([report.format, report.added, report.failed], ['user', 4, 4]);
    const failed = report.lines.filter(({ result }) => result === 'fault');
    assert.deepEqual(
      failed.map(({ line }) => line),
      [12, 13, 14, 15],
    );
    assert.match(failed[0]?.message ?? '', /no @reboot; use a systemd unit/);
    const names = report.lines.flatMap(({ job }) => job?.name ?? []);
    assert.deepEqual(names, ['Nightly backup', 'Nightly backup 2', 'mail', 'echo']);

    const { definition: mail } = await askJsonCli<{ definition: Record<string, unknown> }>(
      ['job', 'show', names[2] ?? ''],
      cli,
    );
    assert.equal(mail.command, 'mail -s report%20now ops');
    assert.equal(mail.stdin, 'Dear all,\n\nhere are 100% of it\n');
    assert.equal(mail.timezone, 'America/New_York');
    assert.deepEqual(mail.env, {
      SHELL: '/bin/bash',
      MAILTO: 'ops@example.com',
      PATH: '/usr/local/bin:/usr/bin:/bin',
    });

    const table = await askCli(['import', file, '--skip-faults'], cli);
    assert.match(table.stdout, /^8 +unchanged +Nightly backup: 30 3 \* \* mon-fri \(America/m);
    assert.match(table.stdout, /^12 +left out +@reboot start-me: statecron has no @reboot; /m);
    const look = await askCli(['import', file, '--dry-run', '--observe'], cli);
    assert.match(look.stdout, /^It would change nothing: lines 12-15 stop it\. With --skip/m);
    assert.doesNotMatch(look.stdout + look.stderr, /Nothing was changed|would be observed/);
    assert.match(look.stdout, /^3 +kept as a variable.*no mail/m);
    assert.match(table.stdout, /^0 added, 0 updated, 4 unchanged, 4 left out\.$/m);
    const failing = await askCli(['import', file], cli);
    assert.match(failing.stdout, /^12 +cannot import +@reboot start-me: .* no @reboot; /m);
    assert.match(failing.stdout, /^Nothing was changed: lines 12-15 stop it\. .*: 0 added/m);
  },
);

testBothWays(
  'importing again changes only what is different, and keeps the rest',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const file = await makeFile(t, 'crontab', '0 3 * * * one\n# Two\n0 4 * * * two\n');
    const first = await askJsonCli<Imported>(['import', file], cli);
    assert.deepEqual([first.added, first.updated, first.unchanged], [2, 0, 0]);
    assert.equal((await askCli(['job', 'edit', 'one', '--timeout', '5m'], cli)).code, 0);
    const again = await askJsonCli<Imported>(['import', file], cli);
    assert.deepEqual([again.added, again.updated, again.unchanged], [0, 0, 2]);
    await writeFile(file, '0 3 * * * one\n# Two\n0 5 * * * two\n');
    const preview = await askJsonCli<Imported>(['import', file, '--dry-run'], cli);
    assert.deepEqual([preview.added, preview.updated, preview.unchanged], [0, 1, 1]);
    const changed = await askJsonCli<Imported>(['import', file], cli);
    assert.deepEqual([changed.added, changed.updated, changed.unchanged], [0, 1, 1]);
    const one = await askJsonCli<{ definition: { timeoutMs: number }; revision: number }>(
      ['job', 'show', 'one'],
      cli,
    );
    assert.deepEqual([one.definition.timeoutMs, one.revision], [300_000, 2]);

    // What an earlier version named by its whole command is found again, and no second one is made.
    await writeFile(file, '# run.sh --all\n0 6 * * * run.sh --all\n');
    await askJsonCli<Imported>(['import', file], cli);
    await writeFile(file, '0 5 * * * run.sh --all\n0 6 * * * run.sh --new\n');
    const renamed = await askJsonCli<Imported>(['import', file], cli);
    assert.deepEqual([renamed.added, renamed.updated], [1, 1]);
    const names = renamed.lines.map(({ job }) => job?.name);
    assert.deepEqual(names, ['run.sh --all', 'run.sh new']);
    assert.equal((await askJsonCli<Imported>(['import', file], cli)).unchanged, 2);
    const applied = await askCli(['apply', file, '--format', 'crontab', '--dry-run'], cli);
    assert.match(applied.stdout, /0 added, 0 edited, 2 unchanged/);
  },
);

testBothWays('a job that was made by hand is not overwritten without --replace', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const file = await makeFile(t, 'crontab', '# mine\n0 3 * * * theirs\n');
  await askCli(['job', 'add', 'mine', '--cron', '@daily', '--command', 'mine'], cli);
  const refused = await askCli(['import', file], cli);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /cannot import +.*: a job "mine" was made by hand/);
  assert.equal((await askCli(['import', file, '--prefix', 'web1: '], cli)).code, 0);
  const replaced = await askJsonCli<Imported>(['import', file, '--replace'], cli);
  assert.equal(replaced.updated, 1);
  const job = await askJsonCli<{ definition: { command: string } }>(['job', 'show', 'mine'], cli);
  assert.equal(job.definition.command, 'theirs');
});

testBothWays('a job of a system crontab runs as its user, and as nobody else', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const file = await makeFile(t, 'crontab', '# one\n0 3 * * * www-data true\n');
  const other = await makeFile(t, 'crontab', '# two\n0 3 * * * www-data true\n');
  const userOf = async (name: string) =>
    (await askJsonCli<{ definition: { user?: string } }>(['job', 'show', name], cli)).definition
      .user;
  const imported = await askCli(['import', file, '--system'], cli);
  assert.match(imported.stderr, /^note: jobs of www-data start only on nodes .* --allow-user/m);
  const applied = await askCli(['apply', other, '--format', 'crontab', '--system'], cli);
  assert.equal(applied.code, 0, applied.stderr);
  assert.deepEqual([await userOf('one'), await userOf('two')], ['www-data', 'www-data']);
  const again = await askJsonCli<Imported>(['import', file, '--system'], cli);
  assert.equal(again.unchanged, 1);
  await writeFile(file, '# one\n0 3 * * * backup true\n');
  await askCli(['import', file, '--system'], cli);
  assert.equal(await userOf('one'), 'backup');
  const refused = await askCli(['import', file, '--user', 'backup'], cli);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /--user: .* is read as a system crontab \(as each line names a user/,
  );

  const own = await makeFile(t, 'crontab', '# three\n0 3 * * * true\n# four\n0 4 * * * true\n');
  const plain = await askCli(['import', own], cli);
  assert.match(plain.stderr, /2 jobs name no user: each runs as the user that its node runs as/);
  assert.match(plain.stderr, /2 jobs have no SHELL line above: bash runs/);
  const ofUser = await askJsonCli<Imported>(['import', own, '--user', 'backup'], cli);
  assert.deepEqual([ofUser.added, ofUser.updated], [0, 2]);
  assert.deepEqual([await userOf('three'), await userOf('four')], ['backup', 'backup']);
  assert.equal((await askJsonCli<Imported>(['import', own], cli)).unchanged, 2, 'it is kept');
  await askCli(['job', 'edit', 'three', '--observed'], cli);
  const live = await askCli(['job', 'go-live', 'three'], cli);
  assert.match(live.stderr, /^note: jobs of backup start only on nodes that run as root/m);
  await askCli(['job', 'edit', 'four', '--observed', '--user', 'no-such-user'], cli);
  const nobody = await askCli(['job', 'go-live', '--all', '--yes'], cli);
  assert.match(nobody.stderr, /^warning: there is no user no-such-user on this machine: where /m);
  const wrong = await askCli(['import', own, '--user', '-x']);
  assert.match(wrong.stderr, /--user: is "-x": letters/);
});

test('an empty input is refused, a crontab without jobs is not, and both are said', async (t) => {
  const empty = await makeFile(t, 'crontab', '\n');
  for (const command of ['import', 'apply']) {
    const refused = await askCli([command, empty, '--dry-run']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /There is nothing in \/.*crontab\. Nothing was changed/);
  }
  const bare = await makeFile(t, 'crontab', '# m h dom mon dow command\nMAILTO=x\n');
  const none = await askCli(['import', bare, '--dry-run']);
  assert.equal(none.code, 0);
  assert.match(none.stderr, /There is no line of a job in .*: nothing to import/);
});

const formats: readonly (readonly [string, string, readonly string[], string])[] = [
  ['each line names a user', '0 3 * * * root echo a\n@daily root echo b\n', [], 'system'],
  ['a user is a command with flags', '0 3 * * * root --all\n', [], 'user'],
  ['no line names a user', '0 3 * * * echo a\n0 4 * * * no-such-user x\n', [], 'user'],
  [
    'its columns are named so',
    '# m h dom mon dow user\tcommand\n0 3 * * * no-one x\n',
    [],
    'system',
  ],
  ['it is requested', '0 3 * * * no-such-user echo a\n', ['--system'], 'system'],
  ['the other is requested', '0 3 * * * root echo a\n', ['--user-crontab'], 'user'],
];

for (const [when, text, flags, format] of formats) {
  test(`a crontab is read as a ${format} one when ${when}`, async (t) => {
    const file = await makeFile(t, 'crontab', text);
    const report = await askJsonCli<Imported>(['import', file, '--dry-run', ...flags]);
    assert.equal(report.format, format);
  });
}

test('a file of /etc/cron.d is a system crontab, and - is standard input', async (t) => {
  const file = await makeFile(t, 'x', '');
  const folder = path.join(path.dirname(file), 'etc', 'cron.d');
  const { mkdir } = await import('node:fs/promises');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'php'), '0 3 * * * no-such-user echo a\n');
  const report = await runJsonCli<Imported>(['import', path.join(folder, 'php'), '--dry-run']);
  assert.equal(report.format, 'system');
  const piped = await runJsonCli<Imported>(['import', '-', '--dry-run'], { input: '@daily x\n' });
  assert.equal(piped.lines.length, 1);
});

test('a crontab of which some lines name a user is refused, with what to say', async (t) => {
  const text = '0 3 * * * root echo a\n0 4 * * * no-such-user x\n';
  const file = await makeFile(t, 'crontab', text);
  const { code, stderr } = await askCli(['import', file, '--dry-run']);
  assert.equal(code, 2);
  assert.match(stderr, /: line 1 looks like a system .* but line 2 has "no-such-user" there, who/);
});

/** 25 lines of all kinds: 20 jobs of them. */
const allKinds = `SHELL=/bin/sh
MAILTO=ops@example.com
PATH=/usr/local/bin:/usr/bin:/bin
* * * * * /opt/beat
*/5 * * * * /opt/poll
0 3 * * * /opt/backup
0 4 * * 0 /opt/weekly
0 5 1 * * /opt/monthly
@daily /opt/daily
@hourly /opt/hourly
30 2 * * 1-5 /opt/work
0 0,12 * * * /opt/noon
15 1-5/2 * * * /opt/odd
0 6 * jan,jul mon /opt/both
0 7 * * * /opt/daemon --start &
0 8 * * * /opt/a && /opt/b
0 9 * * * mail ops%Dear all,%bye
0 10 * * * date +\\%F
0 11 * * * ./run.sh
0 13 * * * bin/run.sh
CRON_TZ=Europe/Berlin
0 14 * * * /opt/berlin
- 0 15 * * * /opt/silent
HOME=/srv
0 16 * * * ./in-home.sh
`;

test('25 lines are imported observed, on one node, in a group, or none is', async (t) => {
  const cli = await reach(t, 'database', await makeStoreWorld(t, 'mariadb'));
  const file = await makeFile(t, 'crontab', allKinds.replace('- 0 15', '-0 15'));
  await askCli(['job', 'add', 'noon', '--cron', '@daily', '--command', 'mine'], cli);
  const taken = await askCli(['import', file, '--observe'], cli);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /1 of \d+ jobs of .* cannot be imported\..*Nothing was changed/s);
  assert.match(taken.stderr, /jobs? names? no node: after go-live each may run on any machine/);
  assert.equal((await askJsonCli<unknown[]>(['job', 'list'], cli)).length, 1);
  await askCli(['job', 'remove', 'noon'], cli);

  const where = ['--on-node', 'web1', '--group', 'web1'];
  const report = await askJsonCli<Imported & { warnings: string[] }>(
    ['import', file, '--observe', ...where],
    cli,
  );
  assert.deepEqual([report.added, report.failed], [20, 0]);
  assert.match(report.warnings[0] ?? '', /^20 jobs name no user: .* Give --user NAME/);
  assert.match(report.warnings[1] ?? '', /^no live node is called "web1" as of now/);
  assert.equal(report.warnings.length, 2, 'it has a SHELL line, and names a node');
  const notes = report.lines.flatMap((each) => (each as unknown as { notes: string[] }).notes);
  const said = (words: RegExp) => notes.filter((note) => words.test(note)).length;
  assert.equal(said(/in the background/), 1);
  assert.equal(said(/first % is its standard input/), 1);
  assert.equal(said(/is a relative path/), 2, 'HOME makes the last one absolute');
  type Listed = { observed: boolean; group: string; definition: { target: object } }[];
  const jobs = await askJsonCli<Listed>(['job', 'list', '--group', 'web1'], cli);
  assert.equal(jobs.length, 20);
  assert.ok(jobs.every(({ observed }) => observed));
  assert.deepEqual(jobs[0]?.definition.target, { nodes: ['web1'] });
  assert.equal((await askCli(['job', 'go-live', 'beat'], cli)).code, 0);
  const again = await askJsonCli<Imported>(['import', file, '--observe', ...where], cli);
  assert.deepEqual([again.updated, again.unchanged], [0, 20], 'what is live stays live');
  const anywhere = await askCli(['import', file, '--observe'], cli);
  assert.doesNotMatch(anywhere.stderr, /name no node/, 'they have one');

  await askCli(['job', 'pause', 'noon'], cli);
  const live = await askCli(['job', 'go-live', 'noon'], cli);
  assert.match(live.stderr, /noon has no next tick: it is paused/);
});

testBothWays(
  'jobs whose lines are gone are named, and lines that are the same, too',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const lines = ['* * * * * /opt/a', '* * * * * /opt/b', '* * * * * /opt/c'];
    const input = `${lines.join('\n')}\n`;
    const importAs = (text: string, user: string) =>
      runCli(['import', '-', '--user', user], { ...cli, input: text });
    await importAs(input, 'daemon');
    const fewer = await importAs(`${lines[1]}\n`, 'daemon');
    assert.match(
      fewer.stderr,
      /2 jobs were imported from \S+:standard input before, .*: a, c\. .*job remove NAME/,
    );
    const broken = await runCli(['import', '-', '--user', 'daemon', '--skip-faults'], {
      ...cli,
      input: `${lines[1]}\n99 * * * * /opt/c\n@reboot /opt/d\n`,
    });
    assert.match(broken.stderr, /1 job was imported from .* before, with no line now: a\. /);
    const none = await importAs('# all of it is gone\n', 'daemon');
    assert.match(none.stderr, /3 jobs were imported from .*: a, b, c\. /);
    const others = await importAs('* * * * * /opt/z\n', 'bin');
    assert.doesNotMatch(others.stderr, /with no line now/);
    const file = await makeFile(t, 'crontab', input);
    const moved = await askCli(['import', file, '--user', 'daemon'], cli);
    assert.match(moved.stdout, /^0 added, 0 updated, 3 unchanged\.$/m);
    assert.match(
      moved.stdout,
      /1-3 +only where it comes from changes: \S+:standard input before, \S+\/crontab now$/m,
    );
    const again = await askCli(['import', file, '--user', 'daemon'], cli);
    assert.match(again.stdout, /^0 added, 0 updated, 3 unchanged\.$/m);
    assert.doesNotMatch(again.stdout + again.stderr, /comes from|no line/);
  },
);
