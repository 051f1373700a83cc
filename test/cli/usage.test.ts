import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { parseDuration } from '../../src/domain/time/duration.ts';
import { createDatabase } from '../support/createDatabase.ts';
import { docPages } from '../support/docPages.ts';
import { programArgs } from '../support/program.ts';
import { askCli } from './askCli.ts';
import { runCli } from './runCli.ts';

const mistakes: readonly (readonly [string, readonly string[]])[] = [
  ['no command', []],
  ['an unknown command', ['frobnicate']],
  ['a group without its command', ['job']],
  ['an unknown command of a group', ['job', 'frobnicate']],
  ['an unknown flag', ['runs', '--frobnicate']],
  ['a flag without its value', ['runs', '--json', '--job']],
  ['a bad number', ['runs', '--limit', 'many']],
  ['a bad duration', ['runs', '--since', 'yesterday']],
  ['a missing argument', ['job', 'show']],
  ['too many arguments', ['job', 'show', 'a', 'b']],
  ['an edit of nothing', ['job', 'edit', 'a']],
  ['a bad request id', ['job', 'run', 'a', '--request-id', 'a b']],
  ['more children than launches', ['node', '--capacity', '5', '--concurrency', '6']],
  ['a session that is over at once', ['node', '--session-ttl', '1s']],
  ['a history that is cleaned all the time', ['node', '--clean-period', '1s']],
  ['a node without a name', ['node', '--name', '']],
  ['an unknown machine format', ['machines', 'show', 'slot', '--format', 'gif']],
  ['a file of jobs that is not there', ['apply', '/no/such/file']],
  ['a backfill without its end', ['backfill', 'a', '--from', '2030-01-01T00:00:00Z']],
  ['two kinds of crontab', ['import', 'x', '--system', '--user-crontab']],
  ['a crontab that is not there', ['import', '/no/such/file', '--dry-run']],
];

for (const [what, args] of mistakes) {
  test(`${what} ends with 2, in text and in JSON`, async () => {
    const asJson = args.includes('--json') ? args : [...args, '--json'];
    const asText = args.filter((arg) => arg !== '--json');
    const [plain, json] = await Promise.all([askCli(asText), askCli(asJson)]);
    assert.equal(plain.code, 2, plain.stderr);
    assert.match(plain.stderr, /^statecron: \S.*\nhint: \S.*\n$/m);
    if (args[0] === 'node') return; // a node has a log and no data
    assert.equal(json.code, 2, json.stderr);
    const { error } = JSON.parse(json.stderr.slice(json.stderr.indexOf('{"error"')));
    assert.ok(error.code !== '' && error.message !== '' && error.hint !== '');
  });
}

test('statecron alone says how to begin, and where the rest is', async () => {
  const { stderr, stdout } = await askCli([]);
  assert.equal(stdout, '');
  assert.match(stderr, /^ {2}\$ statecron up {2,}\S/m);
  assert.match(stderr, /^hint: .*statecron --help.*statecron docs/m);
  const lines = stderr.split('\n');
  assert.ok(lines.length <= 14 && lines.every(({ length }) => length <= 80), stderr);
});

const commands = [
  ...['up', 'node', 'migrate', 'doctor', 'runs', 'cluster', 'next', 'import'],
  ...['job add', 'job edit', 'job list', 'job show', 'job pause', 'job resume', 'job remove'],
  ...['job run', 'run show', 'run log', 'run stop', 'machines list', 'machines show'],
  ...['job skip-next', 'backfill', 'run retry', 'apply', 'export'],
];

test('every command has help with examples, and needs nothing for it', async () => {
  for (const command of commands) {
    const { code, stdout, stderr } = await askCli([...command.split(' '), '--help']);
    assert.equal(code, 0, command);
    assert.equal(stderr, '');
    assert.match(stdout, new RegExp(`^Usage: statecron ${command}`));
    assert.match(stdout, /\nExamples:\n +\$ .*statecron/, command);
  }
});

test('a group is said to be no boundary for operators, in the docs and in the help', async () => {
  const { stdout } = await askCli(['token', 'add', '--help']);
  const pages = docPages().map(({ text }) => text.replace(/\s+/g, ' '));
  assert.match(
    stdout.replace(/\s+/g, ' '),
    /no security boundary for operators: their jobs run as the node's/,
  );
  const said = /For operators a group is no security boundary\*\*: the commands/;
  assert.ok(pages.some((text) => said.test(text)));
});

test('the help shows durations as flags take them', async () => {
  for (const command of ['up', 'node', 'notify test']) {
    const { stdout } = await askCli([...command.split(' '), '--help']);
    const words = stdout.replace(/\s+/g, ' ');
    const defaults = words.matchAll(/--\S+ <duration> [^<]*?\(default: ([^)]*)\)/g);
    const shown = [...defaults].map(([, text = '']) => text);
    assert.ok(shown.length > 0, command);
    for (const text of shown) assert.equal(typeof parseDuration(text), 'number', text);
  }
});

test('what cannot be printed is reported, and ends with 1', () => {
  const args = [...programArgs(), 'next', '@daily'];
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.equal(status, 1);
  assert.match(stderr, /^statecron: What is printed cannot be written: .*\nhint: .*\n$/);
});

test('no database at all is a configuration fault: 78', async () => {
  const { code, stderr } = await runCli(['job', 'list', '--json']);
  assert.equal(code, 78);
  assert.equal(JSON.parse(stderr).error.code, 'database_unset');
});

test('what needs the database itself says so where a node alone is named', async () => {
  const { code, stderr } = await runCli(['doctor'], { env: { STATECRON_URL: 'http://localhost' } });
  assert.equal(code, 78);
  assert.match(stderr, /hint: STATECRON_URL names a node's API, .* the database itself: set STATE/);
});

test('a database that nobody answers for is 69, and so it is for the doctor', async () => {
  const url = 'mysql://root@127.0.0.1:1/statecron';
  const { code, stderr } = await askCli(['job', 'list'], { url });
  assert.equal(code, 69);
  assert.match(stderr, /^statecron: The database cannot be reached.*\nhint: .*\n$/);
  const doctor = await askCli(['doctor'], { url });
  assert.equal(doctor.code, 69);
  assert.match(doctor.stdout, /^ok +bash/m);
  assert.match(doctor.stdout, /^FAIL +database/m);
});

test('a database without our tables is 78 and names the way out', async (t) => {
  const url = await createDatabase(t);
  const before = await askCli(['job', 'list'], { url });
  assert.equal(before.code, 78);
  assert.match(
    before.stderr,
    /hint: Run statecron migrate, as an account that may create tables: /,
  );
  const given = ['--database-url', url];
  for (const args of [['job', 'list'], ['migrate', '--check'], ['verify']]) {
    const { stderr } = await askCli([...args, ...given]);
    const said =
      /hint: Run statecron migrate --database-url 'mysql:\/\/ACCOUNT:.*', as an account that/;
    assert.match(stderr, said, `${args}`);
  }
  const doctor = await askCli(['doctor', ...given]);
  assert.match(doctor.stdout, /→ Run statecron migrate --database-url \S+, as an account that/);
  const check = await askCli(['migrate', '--check'], { url });
  assert.equal(check.code, 1);
  const migrated = await askCli(['migrate'], { url });
  assert.equal(migrated.code, 0);
  assert.match(migrated.stderr, /^migrating: 0001_/);
  assert.equal((await askCli(['migrate', '--check'], { url })).code, 0);
  assert.match((await askCli(['migrate'], { url })).stdout, /^The schema is up to date\.\n$/);
});

test('a database that does not exist is 78', async (t) => {
  const url = new URL(await createDatabase(t));
  url.pathname = '/statecron_nowhere';
  const { code, stderr } = await askCli(['job', 'list', '--json'], { url: url.href });
  assert.equal(code, 78);
  assert.equal(JSON.parse(stderr).error.code, 'database_missing');
});

test('--version prints the version of the package', async () => {
  const { code, stdout } = await runCli(['--version']);
  assert.equal(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+/);
});
