import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

async function makeFiles(scope: Scope, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-second-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

/** `NAME USER COMMAND`, in the order of the names. */
async function jobsOf(cli: Parameters<typeof askCli>[1]): Promise<string[]> {
  const jobs = await askJsonCli<{ job: string; definition: JobDefinition }[]>(['job', 'list'], cli);
  return jobs.map(({ job, definition: { user, command } }) => `${job}: ${user} ${command}`);
}

testBothWays(
  "a second file changes no job of the first one's, unless it is told to",
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const folder = await makeFiles(t, {
      d1: '0 3 * * * root /opt/dump.sh db1\n# app\n0 4 * * * root cd /srv/a && php artisan x\n',
      d2: '0 3 * * * root /opt/dump.sh db2\n# app\n0 4 * * * root cd /srv/b && php artisan x\n',
    });
    const importOf = (file: string, ...flags: string[]) =>
      askCli(['import', path.join(folder, file), '--system', ...flags], cli);
    assert.equal((await importOf('d1')).code, 0);
    const before = await jobsOf(cli);
    for (const flags of [['--dry-run'], []]) {
      const refused = await importOf('d2', ...flags);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stdout,
        /^1 +cannot import +.* db2: the job "dump\.sh" has another command, \/opt\/dump\.sh db1;/m,
      );
      assert.match(refused.stdout, /db1; --update changes it to this one, --prefix keeps both$/m);
      assert.match(
        refused.stdout,
        /^3 +cannot import +.*: the job "app" has another command, cd /m,
      );
      assert.match(refused.stderr, /2 of 2 jobs of .* cannot be imported/);
    }
    assert.deepEqual(await jobsOf(cli), before);
    assert.match((await importOf('d1')).stdout, /^0 added, 0 updated, 2 unchanged\.$/m);
    assert.match((await importOf('d2', '--prefix', 'b: ')).stdout, /^2 added, /m);
    await askCli(['job', 'remove', 'b: app'], cli);
    await askCli(['job', 'remove', 'b: dump.sh'], cli);
    assert.match((await importOf('d2', '--update')).stdout, /^0 added, 2 updated, /m);
    assert.deepEqual(await jobsOf(cli), [
      'app: root cd /srv/b && php artisan x',
      'dump.sh: root /opt/dump.sh db2',
    ]);
    await writeFile(path.join(folder, 'd2'), '0 5 * * * root /opt/dump.sh db3\n');
    assert.match((await importOf('d2')).stdout, /^0 added, 1 updated, /m, 'it is an edited line');
  },
);

testBothWays('a line with the name of a job of another user is another job', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const importAs = (user: string, input: string, ...flags: string[]) =>
    runCli(['import', '-', '--user', user, ...flags], { ...cli, input });
  await importAs('www-data', '# cleanup\n0 3 * * * /srv/www/clean\n', '--group', 'g');
  const input = '# cleanup\n0 3 * * * /srv/backup/clean\n';
  const second = await importAs('backup', input, '--observe');
  assert.match(second.stdout, /^1 added, 0 updated, 0 unchanged\.$/m);
  assert.match(
    second.stderr,
    /has the name of a job with another user, .*: cleanup 2 \(cleanup is a job of www-data\)\. /,
  );
  const jobs = ['cleanup: www-data /srv/www/clean', 'cleanup 2: backup /srv/backup/clean'];
  assert.deepEqual(await jobsOf(cli), jobs);
  const again = await importAs('backup', input);
  assert.match(again.stdout, /^0 added, 0 updated, 1 unchanged\.$/m);
  assert.doesNotMatch(again.stderr, /has the name of/);
  const edited = await importAs('backup', '# cleanup\n0 3 * * * /srv/backup/clean --all\n');
  assert.match(edited.stdout, /: the job "cleanup 2" has another command, \/srv\/backup\/clean;/);
});

testBothWays('the same command on two nodes is two jobs, if it is said', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const importOn = (node: string, hour = 3, ...flags: string[]) =>
    runCli(['import', '-', '--user', 'root', '--group', node, '--on-node', node, ...flags], {
      ...cli,
      input: `0 ${hour} * * * /usr/bin/certbot renew\n`,
    });
  const nodes = async () => {
    const jobs = await askJsonCli<{ definition: JobDefinition }[]>(['job', 'list'], cli);
    return jobs.map(({ definition }) => [
      definition.name,
      definition.target?.nodes,
      definition.schedule,
    ]);
  };
  await importOn('web1');
  const refused = await importOn('web2');
  assert.equal(refused.code, 1);
  assert.match(
    refused.stdout,
    /: the job "certbot" has another group or node, web1 on web1; --update /,
  );
  const beside = ['--prefix', 'b: '];
  assert.match((await importOn('web2', 3, ...beside)).stdout, /^1 added, 0 updated, /m);
  for (const [node, flags] of [
    ['web1', []],
    ['web2', beside],
  ] as const) {
    const again = await importOn(node, 3, ...flags);
    assert.match(again.stdout, /^0 added, 0 updated, 1 unchanged\.$/m);
  }
  assert.match((await importOn('web2', 4, ...beside)).stdout, /^1 +updated +b: certbot: 0 4 /m);
  assert.deepEqual(await nodes(), [
    ['b: certbot', ['web2'], '0 4 * * *'],
    ['certbot', ['web1'], '0 3 * * *'],
  ]);
  assert.match((await importOn('web3', 3, '--update')).stdout, /^0 added, 1 updated, /m);
});

test('a job whose group was edited is not imported a second time', async (t) => {
  const cli = await reach(t, 'database', await makeStoreWorld(t, 'mariadb'));
  const folder = await makeFiles(t, { own: '0 3 * * * /opt/one\n' });
  const file = path.join(folder, 'own');
  const importOwn = (...flags: string[]) => askCli(['import', file, '--group', 'g', ...flags], cli);
  await importOwn();
  await askCli(['job', 'edit', 'one', '--group', 'other'], cli);
  const refused = await importOwn();
  assert.equal(refused.code, 1);
  assert.match(
    refused.stdout,
    /: the job "one" has another group or node, other; --update changes/,
  );
  assert.match((await importOwn('--update')).stdout, /^1 +updated +one: .*group other → g$/m);
});

test('jobs that are moved to other nodes need their user there', async (t) => {
  const cli = await reach(t, 'database', await makeStoreWorld(t, 'mariadb'));
  const importOf = (...flags: string[]) =>
    runCli(['import', '-', '--user', 'root', ...flags], { ...cli, input: '@daily /opt/one\n' });
  await importOf('--on-node', 'web1');
  const needs = /^note: jobs of root start only on nodes that run as root with --allow-user root;/m;
  assert.doesNotMatch((await importOf()).stderr, needs, 'it was said before');
  assert.match((await importOf('--no-on-node')).stderr, needs);
});

test('what an import does not say stays: the group, and that a job is live', async (t) => {
  const cli = await reach(t, 'database', await makeStoreWorld(t, 'mariadb'));
  const importOf = (...flags: string[]) =>
    runCli(['import', '-', ...flags], { ...cli, input: '0 3 * * * /opt/one\n' });
  await importOf();
  assert.match((await importOf('--group', 'web1')).stdout, /group - → web1$/m);
  const silent = await importOf('--observe');
  assert.match(silent.stdout, /^0 added, 0 updated, 1 unchanged\.$/m);
  assert.match(silent.stdout, /^1 +it is there already, and stays live$/m);
  assert.match(
    (await importOf('--paused')).stdout,
    /^1 +it is there already: --paused is for new jobs$/m,
  );
});
