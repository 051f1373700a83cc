import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { fileScope } from '../../support/testEngine.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { noTerminal, onTerminal } from '../onTerminal.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('import shows what of a job changes, edits by hand included', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const importOf = (input: string, ...flags: string[]) =>
    runCli(['import', '-', '--timezone', 'UTC', ...flags], { ...cli, input });
  const lines = '30 2 * * * /opt/one\n0 4 * * * /opt/two\n';
  const first = await importOf(lines);
  assert.doesNotMatch(first.stdout, /CHANGES/);
  const edited = ['--cron', '0 4 * * *', '--description', 'mine'];
  assert.equal((await askCli(['job', 'edit', 'one', ...edited], cli)).code, 0);
  const preview = await importOf(lines, '--dry-run', '--observe');
  assert.match(preview.stdout, /^LINE +RESULT +WHAT +CHANGES$/m);
  assert.match(
    preview.stdout,
    /^1 +would update +one: 30 2 \* \* \* \(UTC\) +cron 0 4 \* \* \* → 30 2 \* \* \*/m,
  );
  assert.match(preview.stdout, /^2 +unchanged +two: 0 4 \* \* \* \(UTC\) +-$/m);
  assert.doesNotMatch(preview.stderr, /would be observed/, 'none is new');
  const done = await importOf(lines);
  assert.match(done.stdout, /^1 +updated +one: .* → 30 2 \* \* \*/m);
});

testBothWays('of variables those that differ are shown, each by itself', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const input = 'LEVEL=full\nMAILTO=ops\n0 3 * * * /opt/one\n';
  await runCli(['import', '-'], { ...cli, input });
  await askCli(['job', 'edit', 'one', '--env', 'LEVEL=edited', '--env', 'B=2'], cli);
  const { stdout } = await runCli(['import', '-', '--dry-run'], { ...cli, input });
  assert.match(stdout, /env LEVEL edited → full; env B 2 → -$/m);
  const diff = await askCli(['job', 'diff', 'one'], cli);
  assert.match(diff.stdout, /^env LEVEL +full +edited\nenv B +- +2\n$/m);
  const audit = await askCli(['audit', '--job', 'one', '--limit', '1'], cli);
  assert.match(audit.stdout, /env LEVEL: full → edited; env B: - → 2/);
});

testBothWays('an edit says which shell its command has no longer', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const input = 'SHELL=/bin/sh\n0 3 * * * /opt/one\n';
  await runCli(['import', '-'], { ...cli, input });
  const saidOf = async (...flags: string[]) => {
    const { stderr } = await askCli(['job', 'edit', 'one', ...flags], cli);
    return stderr.replaceAll(/\s+/g, ' ').trim();
  };
  assert.equal(await saidOf('--timeout', '5m'), '');
  const kept = "exec /bin/sh -c 'echo $0'";
  assert.equal(await saidOf('--command', kept), '');
  assert.equal(
    await saidOf('--command', 'echo $0'),
    `warning: bash runs the command now, where /bin/sh did; to keep that, the command is: ${kept}`,
  );
});

testBothWays('a dry run says that new jobs would start nothing', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const flags = ['import', '-', '--dry-run'];
  const input = '0 3 * * * /opt/new\n';
  const observed = await runCli([...flags, '--observe'], { ...cli, input });
  assert.match(observed.stderr, /1 job would be observed: nothing starts until job go-live\./);
  const live = await runCli(flags, { ...cli, input });
  assert.doesNotMatch(live.stderr, /observed/);
});

testBothWays('notes on what is unchanged are said by a dry run alone', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const importOf = (input: string, ...flags: string[]) =>
    runCli(['import', '-', ...flags], { ...cli, input });
  const lines = 'MAILTO=ops\n0 3 * * * /opt/one &\n';
  const first = await importOf(lines);
  assert.match(first.stdout, /^1 +kept as a variable .*\n2 +.*background/m);
  const again = await importOf(lines);
  assert.doesNotMatch(again.stdout, /NOTE/);
  assert.match(
    again.stderr,
    /^2 notes on what is unchanged are not repeated; --dry-run shows all/m,
  );
  const look = await importOf(lines, '--dry-run');
  assert.match(look.stdout, /^1 +kept as a variable .*\n2 +.*background/m);
  assert.doesNotMatch(look.stderr, /not repeated/);
  const more = await importOf(`${lines}0 4 * * * /opt/two\n`);
  assert.match(more.stdout, /^1 +kept as a variable /m);
  assert.match(more.stderr, /^1 note on what is unchanged is not repeated/m);
});

test('below a CRON_TZ that cannot be used each line is checked for its own faults', async () => {
  const input = 'CRON_TZ=Mars/Base\n0 1 * * * a\n61 1 * * * b\nCRON_TZ=\n0 1 * * * c\n';
  const { stdout } = await runCli(['import', '-', '--dry-run'], { input });
  assert.match(stdout, /^1 .*"Mars\/Base" is not a zone.*; an empty CRON_TZ= gives/m);
  assert.match(stdout, /^2 .*its zone is not known: correct the CRON_TZ on line 1$/m);
  assert.match(stdout, /^3 .*b: minute: "61" is out of range/m);
  assert.match(stdout, /^5 +read +c: /m);
});

testBothWays('a crontab under another prefix warns of the jobs that are there', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const input = '0 3 * * * /opt/one\n0 4 * * * /opt/two\n';
  const importAs = (...flags: string[]) => runCli(['import', '-', ...flags], { ...cli, input });
  await importAs();
  const prefixed = await importAs('--prefix', 'web1-');
  assert.match(prefixed.stdout, /^2 added, /m);
  assert.match(
    prefixed.stderr,
    /2 jobs have the command, .* under another name .*: one, two\. Each/,
  );
  const back = await importAs();
  assert.match(back.stdout, /^0 added, 0 updated, 2 unchanged\.$/m);
  assert.match(back.stderr, /2 jobs have the command, .*: web1-one, web1-two\. Each/);
  assert.doesNotMatch(back.stderr, /no line now/);
});

test('a line is shown as it stands, its tabs as blanks', async () => {
  const text = '# m h dom mon dow user\tcommand\n0 3 * * *\troot\ttrue\n61 3 * * *\troot\tx\n';
  const { stdout } = await runCli(['import', '-', '--dry-run', '--system'], { input: text });
  assert.match(stdout, /^1 .*# m h dom mon dow user command$/m);
  assert.match(stdout, /^3 .*61 3 \* \* \* root x: /m);
  assert.doesNotMatch(stdout, /\\t|\t/);
});

testBothWays(
  'import takes the node away that it gave, and what is set by hand stays',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const input = '0 3 * * * /opt/one\n0 4 * * * /opt/two\n';
    const importOf = (...flags: string[]) => runCli(['import', '-', ...flags], { ...cli, input });
    const targets = async () => {
      const jobs = await askJsonCli<{ definition: JobDefinition }[]>(['job', 'list'], cli);
      return jobs.map(({ definition: { target, timeoutMs } }) => ({ target, timeoutMs }));
    };
    await importOf('--on-node', 'web1');
    const byHand = ['--not-on-label', 'old', '--timeout', '5m'];
    assert.equal((await askCli(['job', 'edit', 'two', ...byHand], cli)).code, 0);
    const silent = await importOf();
    assert.match(silent.stdout, /^0 added, 0 updated, 2 unchanged\.$/m);
    assert.match(silent.stdout, /^1-2 +it stays on web1; --no-on-node lets it run on any node$/m);
    const preview = await importOf('--no-on-node', '--dry-run');
    assert.match(preview.stdout, /^1 +would update +one: .* on-node web1 → -/m);
    const moved = await importOf('--no-on-node');
    assert.match(moved.stdout, /^0 added, 2 updated, 0 unchanged\.$/m);
    assert.deepEqual(await targets(), [
      { target: undefined, timeoutMs: null },
      { target: { excludeLabels: ['old'] }, timeoutMs: 300_000 },
    ]);
    const again = await importOf('--no-on-node');
    assert.match(again.stdout, /^0 added, 0 updated, 2 unchanged\.$/m);
    assert.doesNotMatch(again.stdout, /stays on/);
    const other = await runCli(['import', '-', '--no-on-node'], {
      ...cli,
      input: '@daily /opt/new\n',
    });
    assert.doesNotMatch(other.stderr, /--on-node NAME/, 'it is what was asked for');
  },
);

testBothWays('lines that another file had are named when this one lacks them', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-moved-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const importOf = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text);
    return runCli(['import', path.join(folder, name), '--user', 'daemon'], cli);
  };
  await importOf('old', '0 3 * * * /opt/a\n0 3 * * * /opt/b\n0 3 * * * /opt/c\n');
  const moved = await importOf('new', '0 3 * * * /opt/b\n');
  assert.match(
    moved.stderr,
    /2 jobs that came from \S+\/old, as others here did, have no line here: a, c\. Where this/,
  );
  const again = await importOf('new', '0 3 * * * /opt/b\n');
  assert.doesNotMatch(again.stderr, /no line/);
});

testBothWays('of an edited copy only the lines that differ are updated', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-copy-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const importOf = async (name: string, minute: number, ...flags: string[]) => {
    const text = `0 3 * * * /opt/a &\n${minute} 3 * * * /opt/b\n`;
    await writeFile(path.join(folder, name), text);
    return runCli(['import', path.join(folder, name), '--user', 'daemon', ...flags], cli);
  };
  await importOf('crontab', 0);
  const preview = await importOf('copy', 30, '--dry-run');
  assert.match(preview.stdout, /it would be: 0 added, 1 updated, 1 unchanged\.$/m);
  const copy = await importOf('copy', 30);
  assert.match(copy.stdout, /^1 +unchanged +a: .* -$/m);
  assert.match(copy.stdout, /^2 +updated +b: .* cron 0 3 \* \* \* → 30 3/m);
  assert.match(
    copy.stdout,
    /^1 +only where it comes from changes: \S+\/crontab before, \S+\/copy now$/m,
  );
  assert.doesNotMatch(copy.stdout, /background/, 'it was said before');
  const again = await importOf('copy', 30);
  assert.match(again.stdout, /^0 added, 0 updated, 2 unchanged\.$/m);
  assert.doesNotMatch(again.stdout, /comes from/, 'it was written');
});

test('a dry run of standard input says so, and how names are chosen', async () => {
  const dry = (input: string) => askCli(['import', '-', '--dry-run'], { input });
  const guessed = await runCli(['import', '-', '--dry-run'], { input: '@daily /opt/one\n' });
  assert.match(guessed.stdout, /^Standard input is read as a user's crontab \(/);
  assert.match(guessed.stderr, /^note: 1 job is named after what it starts\. To choose a name, /m);
  const named = await dry('# Nightly\n@daily /opt/one\n');
  assert.doesNotMatch(named.stderr, /is named after/);
});

test('on a terminal the first line of an import is broken into lines', {
  skip: noTerminal,
}, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-import-'));
  fileScope.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'crontab');
  await writeFile(file, '# Nightly\n@daily /opt/one\n');
  const shown = await onTerminal(['import', file, '--dry-run'], '', 60);
  const [first = ''] = shown.split(/^LINE/m);
  const lines = first.trimEnd().split('\r\n');
  assert.ok(lines.length > 1 && lines.every(({ length }) => length <= 60), first);
});
