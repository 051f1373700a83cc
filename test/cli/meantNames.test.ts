import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { until } from '../support/until.ts';
import { askCli } from './askCli.ts';
import { reach, testBothWays } from './ways.ts';

const unquoted = /\nhint: Put the schedule in quotes: --cron '\* \* \* \* \*'\n/;

test('a command without its subject is completed', async () => {
  const cases: [line: string, meant: RegExp][] = [
    ['run hello', /run has no command "hello"\. Did you mean: statecron job run hello\?/],
    ['job ad x', /Did you mean: statecron job add x\?/],
    ['run 30', /Did you mean: statecron run show 30, or: /],
    ['cluster list', /Did you mean: statecron cluster\?/],
    ['pause hello', /Did you mean: statecron job pause hello\?/],
    ['job rm hello', /job has no command "rm"\. Did you mean: statecron job remove hello\?/],
    ['job disable hello', /Did you mean: statecron job pause hello\?/],
    ['job history hello', /Did you mean: statecron runs --job hello\?/],
    ['job next hello', /"next"\. Did you mean: statecron job show hello\?/],
    ['job add a --cron bin etc --command x', unquoted],
    ['job edit --cron 0 5 * * * a', unquoted],
    ['job add --cron @every 5m a --command x', unquoted],
    ['job add --cron @daily a b', /\nhint: A value with blanks needs quotes\. See: /],
    ['next bin etc', /\nhint: Put the schedule in quotes: statecron next '\* \* \* \* \*'\n/],
    ['job helo run --wait', /Did you mean: statecron job run helo --wait\?/],
    ['job add x --schedule @daily', /no flag --schedule\. Did you mean --cron\?/],
    ['job list --text hello', /has no flag --text\. It takes <text> without a flag\.\n/],
    ['job list --text=hello', /has no flag --text\. It takes <text> without a flag\.\n/],
    ['runs hello', /Did you mean: statecron runs --job hello\?\nhint: See: statecron runs --help/],
    ['runs --job my hello', /\nhint: A value with blanks needs quotes\. See: /],
    [
      'job run a --wait 5s',
      /\nhint: --wait has no value: --wait-timeout 5s gives up after it\. See/,
    ],
    ['run kill 30', /Did you mean: statecron run stop 30\?/],
    ['delete hello', /Did you mean: statecron job remove hello\?/],
    ['rename a b', /There is no command "rename": a job keeps its name\.\nhint: Add it anew/],
    ['runs --status failed', /Did you mean --result\?/],
    ['job list --status idle', /Did you mean --state\?/],
    ['job rename a b', /has no command "rename": a job keeps its name\.\nhint: Add it anew/],
    ['job rollback a', /no revision is given, .*\nhint: See all revisions: statecron job show a/],
    ['help frob', /There is no command "frob"/],
    ['job jist --help', /job has no command "jist"\. Did you mean: statecron job list/],
    ['job add --cmd true', /job add has no flag --cmd\. Did you mean --command or --cwd\?/],
    ['job pause x --until tomorrow', /"tomorrow" is neither an instant .* nor a duration as 2h/],
    ['observe report --cron-log /no/log', /\nhint: .*journalctl .* observe report --cron-log -/],
    ['apply /no/jobs', /\nhint: .* statecron apply -/],
  ];
  for (const [line, meant] of cases) {
    const { code, stderr } = await askCli(line.split(' '));
    assert.equal(code, 2, line);
    assert.match(stderr, meant);
  }
});

test('a command line that may have been meant has its words quoted', async () => {
  const add = ['add', 'it is', '--cron', '* * * * *', '--command', 'echo hi there'];
  const words = "add 'it is' --cron '* * * * *' --command 'echo hi there'";
  for (const before of [['jobb'], ['job', 'ad']]) {
    const given = before.length === 1 ? [...before, ...add] : [...before, ...add.slice(1)];
    const { stderr } = await askCli(given);
    assert.ok(stderr.includes(`Did you mean: statecron job ${words}?`), stderr);
  }
});

testBothWays('a name is not taken out of a text that says it is not there', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const name = 'say "$(id)" é';
  await askCli(['job', 'add', name, '--cron', '@manual', '--command', 'true'], cli);
  for (const given of ['say "$(id)"', 'sya "$(id)" é', 'say "$(id)" é\\']) {
    const { code, stderr } = await askCli(['job', 'show', given], cli);
    assert.equal(code, 1);
    const said = `There is no job ${JSON.stringify(given)}. Did you mean ${JSON.stringify(name)}?`;
    assert.ok(stderr.includes(said), stderr);
  }
});

testBothWays('a removed job is said to be removed, and what shows its history', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const add = ['--cron', '@manual', '--command', 'true', '--timezone', 'Asia/Tokyo'];
  for (const name of ['my job', 'my jobs']) await askCli(['job', 'add', name, ...add], cli);
  await askCli(['job', 'remove', 'my job'], cli);
  for (const command of [
    ['job', 'show', 'my job'],
    ['runs', '--job', 'my job'],
  ]) {
    const { code, stderr } = await askCli(command, cli);
    assert.equal(code, 1);
    const said = /There is no job "my job"\. It was removed at \S+ \S+ \+09:00\.\nhint: (.*)\n$/;
    assert.equal(
      said.exec(stderr)?.[1],
      "See: statecron audit --job 'my job'; its runs: statecron runs --job 'my job'",
      stderr,
    );
  }
});

testBothWays('a node that has ended is still known by name', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const third = await world.join('third');
  await third.store.endSession(third.sessionId, 'it left', null);
  const { stderr } = await askCli(['node', 'drain', 'thrid'], cli);
  assert.match(stderr, /There was no node "thrid"\. Did you mean "third"\?/);
});

test('help of a command below another is its own', async () => {
  const { code, stdout } = await askCli(['help', 'job', 'run']);
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: statecron job run /);
});

test('help names no flag that the command does not take', async () => {
  const { stdout } = await askCli(['node', 'drain', '--help']);
  assert.match(stdout, /--no-wait/);
  assert.doesNotMatch(stdout, /--capacity|--version/);
});

test('a bad zone is blamed where it stands', async () => {
  const add = ['job', 'add', 'x', '--command', 'true'];
  const prefix = await askCli([...add, '--cron', 'TZ=Europe/Brelin * * * * *']);
  assert.match(prefix.stderr, /^statecron: --cron: TZ=: "Europe\/Brelin" is not a zone/);
  const flag = await askCli([...add, '--cron', '@daily', '--timezone', 'berlin']);
  assert.match(flag.stderr, /^statecron: --timezone: "berlin" .*did you mean Europe\/Berlin\?/);
});

test('https to a port that speaks plain HTTP is no matter of certificates', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await until('the server listens', () => server.listening);
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await askCli(['job', 'list', '--url', url]);
  assert.equal(code, 78);
  assert.match(stderr, /does not speak TLS/);
  assert.doesNotMatch(stderr, /--tls-ca/);
});

test('a test of a target ends with 1 when it was not delivered', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = { url: world.url };
  const hook = ['notify', 'add', 'hook', '--webhook', 'https://hooks.example.com/in'];
  assert.equal((await askCli(hook, cli)).code, 0);
  const outcomes = [
    ["last_error = 'it answered 404'", 1, /could not be delivered to "hook": it answered 404/],
    ["state = 'sent'", 0, /one is waited for until/],
  ] as const;
  for (const [outcome, expected, said] of outcomes) {
    await world.rows('DELETE FROM notice');
    const tested = askCli(['notify', 'test', 'hook'], cli);
    await until('it waits', async () => (await world.rows('SELECT 1 FROM notice')).length === 1);
    await world.rows(`UPDATE notice SET ${outcome}`);
    const { code, stderr } = await tested;
    assert.equal(code, expected, stderr);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /smtp/i);
  }
});
