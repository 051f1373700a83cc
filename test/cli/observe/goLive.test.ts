import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { answerYes, noTerminal } from '../onTerminal.ts';
import { reach, testBothWays } from '../ways.ts';

const crontab = '# one\n0 3 * * * true\n# two\n0 4 * * * true\n# three\n0 5 * * * true\n';
const importing = ['import', '-', '--observe', '--group', 'web1'];

testBothWays('many jobs go live only when their number is confirmed', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  assert.equal((await askCli(importing, { ...cli, input: crontab })).code, 0);
  const observed = async () => {
    const jobs = await askJsonCli<{ observed: boolean }[]>(['job', 'list'], cli);
    return jobs.filter((job) => job.observed).length;
  };
  const goLive = (...flags: string[]) => askCli(['job', 'go-live', ...flags], cli);
  const refusals: [RegExp, number, ...string[]][] = [
    [/3 jobs match\. Nothing was changed\.\nhint: .* --expect 3, or --yes/, 2, '--group', 'web1'],
    [/3 jobs match\. Nothing was changed/, 2, '--all', '--json'],
    [/3 jobs match, not 2\. Nothing was changed/, 1, '--group', 'web1', '--expect', '2'],
    [/--expect: goes with a filter, not with NAME/, 2, 'one', '--expect', '1'],
  ];
  for (const [said, code, ...flags] of refusals) {
    const refused = await goLive(...flags);
    assert.equal(refused.code, code, flags.join(' '));
    assert.match(refused.stderr.replaceAll('\\n', '\n'), said);
  }
  const dry = await goLive('--all', '--dry-run');
  assert.deepEqual(dry.stdout.trim().split('\n').sort(), ['one', 'three', 'two']);
  assert.equal(await observed(), 3, 'nothing was changed');

  assert.equal((await goLive('one', '--yes')).code, 0, 'one that is named needs none');
  assert.equal((await goLive('--group', 'web1', '--expect', '2')).code, 0);
  assert.equal(await observed(), 0);
  const none = await goLive('--all');
  assert.equal(none.code, 0);
  assert.match(none.stderr, /No job is observed there/);
});

testBothWays('jobs that went live are observed again together', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  assert.equal((await askCli(importing, { ...cli, input: crontab })).code, 0);
  const observe = (...flags: string[]) => askCli(['job', 'observe', ...flags], cli);
  const none = await observe('--group', 'web1');
  assert.match(none.stderr, /Every job is observed there/);
  assert.equal((await askCli(['job', 'go-live', '--all', '--yes'], cli)).code, 0);

  const unsure = await observe('--all');
  assert.equal(unsure.code, 2);
  assert.match(unsure.stderr, /3 jobs match\. Nothing was changed\./);
  const dry = await observe('--group', 'web1', '--dry-run');
  assert.deepEqual(dry.stdout.trim().split('\n').sort(), ['one', 'three', 'two']);
  assert.match(dry.stderr, /^3 jobs would be observed\.$/m);
  const one = await observe('one');
  assert.match(one.stdout, /^Observed from now on: one; observed: it starts nothing, next tick /);
  assert.match((await observe('one')).stdout, /^one is observed already; /);
  const rest = await observe('--group', 'web1', '--expect', '2');
  assert.equal(rest.code, 0, rest.stderr);
  const jobs = await askJsonCli<{ observed: boolean }[]>(['job', 'list'], cli);
  assert.deepEqual(new Set(jobs.map(({ observed }) => observed)), new Set([true]));
});

testBothWays('a rollback neither ends nor starts an observation', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  await askCli(['job', 'add', 'job', '--cron', '@daily', '--command', 'true', '--observed'], cli);
  await askCli(['job', 'edit', 'job', '--command', 'false'], cli);
  await askCli(['job', 'go-live', 'job'], cli);
  const back = await askCli(['job', 'rollback', 'job', '1'], cli);
  assert.match(back.stdout, /^Rolled back job to revision 1, as revision 4; next run /);
  await askCli(['job', 'observe', 'job'], cli);
  const live = await askCli(['job', 'rollback', 'job', '3'], cli);
  assert.match(live.stdout, /^Rolled back .*, as revision 6; observed: it starts nothing/);
  const { stdout } = await askCli(['job', 'show', 'job'], cli);
  const revisions = [...stdout.matchAll(/^\d( \(.*?\))?(?= )/gm)].map(([mark]) => mark);
  const marked = ['6 (observed)', '5 (observed)', '4', '3', '2 (observed)', '1 (observed)'];
  assert.deepEqual(revisions.slice(-6), marked);
});

const title = 'on a terminal a person is asked with the number of jobs that are to go live';
test(title, { skip: noTerminal }, async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  assert.equal((await askCli(importing, { url, input: crontab })).code, 0);
  const { code, stdout } = await answerYes(['job', 'go-live', '--group', 'web1'], url);
  assert.match(stdout, /Go live with 3 jobs \(.*\)\? \[y\/N\]/);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /Live from now on: three/);
});
