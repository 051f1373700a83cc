import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextText } from '../../../src/cli/jobs/jobActions.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('a change of a job says of a run that is over that it is due, not that it comes', () => {
  const at = (awayMs: number): string => new Date(Date.now() + awayMs).toISOString();
  const said = (awayMs: number): string => nextText(at(awayMs), { timezone: 'UTC' });
  assert.match(said(-600_000), /^due since \S+ \S+ \+00:00 \(10 min ago\)$/);
  assert.match(said(600_000), /^next run \S+ \S+ \+00:00 \(in 10 min\)$/);
});

test('a dry run of a change of many jobs names them in their order', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const names = ['f', 'b', 'd', 'a', 'e', 'c'];
  for (const name of names) {
    const add = ['job', 'add', name, '--cron', '@daily', '--command', 'true'];
    const { stderr } = await askCli(add, { url });
    assert.equal(stderr, 'warning: no live node may run it as of now; see: statecron cluster\n');
  }
  const dry = await askCli(['pause', '--all', '--dry-run'], { url });
  assert.equal(dry.stdout, 'a\nb\nc\nd\ne\nf\n');
  assert.equal(dry.stderr, '6 jobs would be paused.\n');
});

test('a group of nodes or of jobs that is not there is said where it is named', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const add = ['job', 'add', 'w', '--cron', '@daily', '--command', 'true', '--on-group', 'racks'];
  const { stderr } = await askCli(add, { url });
  const none = 'warning: there is no group of nodes racks, so no node may run it: ';
  assert.equal(stderr, `${none}statecron group list\n`);
  const token = await askCli(['token', 'add', 'bob', '--group', 'shop'], { url });
  assert.match(token.stderr, /\nNo job is in the group shop as of now\.\n$/);
  await askCli(['job', 'edit', 'w', '--group', 'shopping'], { url });
  const near = await askCli(['token', 'add', 'eve', '--group', 'shoping'], { url });
  assert.match(near.stderr, / group shoping as of now\. Did you mean "shopping"\?\n$/);
  const limit = await askCli(['limit', 'set', 'shoping', '3'], { url });
  const meant = 'No job is in it yet. Did you mean "shopping"? To put one in it: ';
  assert.equal(limit.stderr, `${meant}statecron job edit NAME --group shoping\n`);
});

test("of a job on a node that is not there its place is said, not its user's needs", async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('web1', { facts: { users: ['nobody'] } });
  const typo = ['--on-node', 'wbe1', '--user', 'nobody'];
  const job = ['--cron', '@manual', '--command', 'true'];
  const meant = 'There was no node "wbe1". Did you mean "web1"?';
  const ask = async (...args: string[]) =>
    (await askCli(args, { ...world, input: '# z\n0 3 * * * true\n' })).stderr;
  const nowhere = 'warning: no live node may run it as of now; see: statecron cluster.';
  assert.equal(await ask('job', 'add', 'x', ...job, ...typo), `${nowhere} ${meant}\n`);
  await ask('job', 'add', 'y', ...job, '--user', 'nobody');
  assert.equal(await ask('job', 'edit', 'y', '--on-node', 'wbe1'), `${nowhere} ${meant}\n`);
  const imported = await ask('import', '-', ...typo);
  const uncalled = 'warning: no live node is called "wbe1" as of now; see: statecron cluster.';
  assert.ok(imported.includes(`${uncalled} ${meant}\n`), imported);
  assert.doesNotMatch(imported, /allow-user/);
});

test('apply says what its jobs lack to run, as job add does, and a dry run does too', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('web1', { facts: { users: ['nobody'] } });
  const job = 'cron: "@manual", command: "true"';
  const file = `jobs:
  a: { ${job}, user: nobody, on-node: wbe1 }
  b: { ${job}, on-group: [racks] }
  c: { ${job}, user: no-such-user }
  d: { ${job}, user: nobody, on-node: web1 }
`;
  const apply = async (input: string, ...flags: string[]) =>
    (await askCli(['apply', '-', ...flags], { ...world, input })).stderr;
  const said = await apply(file, '--dry-run');
  const [node, group, unknown, needs, ...rest] = said.split('\n');
  const uncalled = 'warning: no live node is called "wbe1" as of now; see: statecron cluster.';
  assert.equal(node, `${uncalled} There was no node "wbe1". Did you mean "web1"?`);
  const none = 'warning: there is no group of nodes racks, so no node may run its jobs: ';
  assert.equal(group, `${none}statecron group list`);
  assert.match(unknown ?? '', /^warning: there is no user no-such-user on this machine: /);
  assert.match(needs ?? '', /^note: no live node that may run them allows jobs of no-such-user: /);
  assert.deepEqual(rest, ['']);
  assert.equal(await apply(file), said);
  assert.equal(await apply(file), '', 'it was said before');
  assert.match(
    await apply(file.replace('web1', 'web2')),
    /^warning: no live node is called "web2"/,
  );
});

test('a job of another user says what its nodes need when it is given the user', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const ask = (...args: string[]) => askCli(['job', ...args], { url });
  const schedule = ['--cron', '@daily', '--command', 'true'];
  const needs = (user: string) =>
    new RegExp(`^note: jobs of ${user} start only on nodes .* with --allow-user ${user}; `, 'm');
  assert.match((await ask('add', 'x', ...schedule, '--user', 'nobody')).stderr, needs('nobody'));
  assert.equal((await ask('edit', 'x', '--command', 'false')).stderr, '', 'it was said before');
  assert.match((await ask('edit', 'x', '--user', 'daemon')).stderr, needs('daemon'));
  await ask('edit', 'x', '--on-node', 'web1');
  assert.match((await ask('edit', 'x', '--no-on-node')).stderr, needs('daemon'), 'any node');
  assert.equal((await ask('edit', 'x', '--no-user')).stderr, '');
  const typo = /^warning: there is no user no-such-user on this machine: where the jobs run /m;
  assert.match((await ask('edit', 'x', '--user', 'no-such-user')).stderr, typo);
  assert.match((await ask('add', 'y', ...schedule, '--user', 'no-such-user')).stderr, typo);
});

test('a user whom no live node allows is named at once', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('web1', { facts: { users: ['backup', 'only-there'] } });
  await world.join('web2', { facts: { users: [] } });
  const ask = async (...args: string[]) => (await askCli(['job', ...args], world)).stderr;
  const schedule = ['--cron', '@daily', '--command', 'true'];
  const nowhere =
    /^note: no live node that may run them allows jobs of backpu: they start only on/m;
  const said = await ask('add', 'x', ...schedule, '--user', 'backpu');
  assert.match(said, nowhere);
  assert.match(said, /^warning: no live node may run it as of now/m);
  assert.equal(await ask('edit', 'x', '--user', 'only-there'), '', 'web1 allows it');
  await ask('edit', 'x', '--user', 'backup');
  assert.match(await ask('edit', 'x', '--on-node', 'web2'), /allows jobs of backup: they start/);
  await ask('edit', 'x', '--no-on-node');
  assert.match(
    await ask('run', 'x', '--node', 'web2'),
    /may not run on the node web2: it does not allow the job's user\./,
  );
});
