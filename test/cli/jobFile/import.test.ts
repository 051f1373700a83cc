import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Scope } from '../../support/createDatabase.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runJsonCli } from '../runCli.ts';
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
    assert.equal((await askJsonCli<unknown[]>(['job', 'list'], cli)).length, 0);

    const first = await askCli(['import', file, '--json'], cli);
    assert.equal(first.code, 1);
    assert.equal(JSON.parse(first.stderr).error.code, 'import_faults');
    const report: Imported = JSON.parse(first.stdout);
    assert.deepEqual(JSON.parse(dry.stdout).added, report.added);
    assert.deepEqual([report.format, report.added, report.failed], ['user', 4, 4]);
    const failed = report.lines.filter(({ result }) => result === 'fault');
    assert.deepEqual(
      failed.map(({ line }) => line),
      [12, 13, 14, 15],
    );
    assert.match(failed[0]?.message ?? '', /no reboot/);
    const names = report.lines.flatMap(({ job }) => job?.name ?? []);
    assert.deepEqual(names, [
      'Nightly backup',
      'Nightly backup 2',
      'mail -s report%20now ops',
      'echo last line without newline',
    ]);

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

    const table = await askCli(['import', file], cli);
    assert.match(table.stdout, /^8 +unchanged +Nightly backup: 30 3 \* \* mon-fri \(America/m);
    assert.match(table.stdout, /^12 +fault +.*@reboot start-me$/m);
    assert.match(table.stdout, /0 added, 0 updated, 4 unchanged, 4 failed/);
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
  },
);

testBothWays('a job that was made by hand is not overwritten without --replace', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const file = await makeFile(t, 'crontab', '# mine\n0 3 * * * theirs\n');
  await askCli(['job', 'add', 'mine', '--cron', '@daily', '--command', 'mine'], cli);
  const refused = await askCli(['import', file], cli);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /fault +a job "mine" was made by hand/);
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
  assert.match(imported.stdout, /runs as www-data, where the node is root/);
  const applied = await askCli(['apply', other, '--format', 'crontab', '--system'], cli);
  assert.equal(applied.code, 0, applied.stderr);
  assert.deepEqual([await userOf('one'), await userOf('two')], ['www-data', 'www-data']);
  const again = await askJsonCli<Imported>(['import', file, '--system'], cli);
  assert.equal(again.unchanged, 1);
  await writeFile(file, '# one\n0 3 * * * backup true\n');
  await askCli(['import', file, '--system'], cli);
  assert.equal(await userOf('one'), 'backup');
});

const formats: readonly (readonly [string, string, readonly string[], string])[] = [
  ['each line names a user', '0 3 * * * root echo a\n@daily root echo b\n', [], 'system'],
  ['a user is a command with flags', '0 3 * * * root --all\n', [], 'user'],
  ['a line names no user', '0 3 * * * root echo a\n0 4 * * * no-such-user x\n', [], 'user'],
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
