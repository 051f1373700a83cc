import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createConnection } from 'mysql2/promise';
import type { Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

const password = 'sécret/with%odd@signs';

/** An account with only the given rights on the world's database; its URL has no password. */
async function makeAccount(scope: Scope, world: StoreWorld, rights: string): Promise<string> {
  const url = new URL(world.url);
  const user = `u${url.pathname.slice(-12)}`;
  await world.rows(`CREATE USER ${user}@localhost IDENTIFIED BY '${password}'`);
  scope.after(async () => {
    // The world's own channel and its database are gone by then.
    const server = new URL(world.url);
    server.pathname = '';
    const connection = await createConnection(server.href);
    await connection.query(`DROP USER ${user}@localhost`);
    await connection.end();
  });
  await world.rows(`GRANT ${rights} ON ${url.pathname.slice(1)}.* TO ${user}@localhost`);
  url.username = user;
  return url.href;
}

async function makeFiles<K extends string>(
  scope: Scope,
  texts: Record<K, string>,
): Promise<Record<K, string>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-access-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const files = { ...texts };
  for (const name of Object.keys(texts) as K[]) {
    files[name] = path.join(folder, name);
    await writeFile(files[name], texts[name], { mode: 0o600 });
  }
  return files;
}

/** The statement that a hint says an administrator is to run. */
function grantIn(text: string): string {
  const [statement] = /GRANT [^;]*;/.exec(text) ?? [];
  assert.ok(statement, text);
  return statement;
}

await forEachEngine((engine) => {
  test('SELECT, INSERT, UPDATE and DELETE are enough for all but migrate', async (t) => {
    const world = await makeStoreWorld(t, engine);
    await world.addJob('b');
    const url = await makeAccount(t, world, 'SELECT, INSERT, UPDATE, DELETE');
    const files = await makeFiles(t, { password: `${password}\n`, crontab: '0 3 * * * true\n' });
    const env = { STATECRON_DATABASE_PASSWORD_FILE: files.password };
    const commands = [
      ['job', 'add', 'a', '--cron', '@daily', '--command', 'true'],
      ['job', 'edit', 'a', '--command', 'false'],
      ['job', 'run', 'a'],
      ['job', 'pause', 'a'],
      ['job', 'resume', 'a'],
      ['job', 'list'],
      ['job', 'show', 'a'],
      ['runs'],
      ['runs', '--running'],
      ['cluster'],
      ['import', files.crontab],
      ['doctor'],
      ['job', 'remove', 'a'],
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await askCli(command, { url, env });
      assert.equal(code, 0, `${command.join(' ')}: ${stdout}${stderr}`);
    }
    const migrated = await askCli(['migrate', '--json'], { url, env });
    assert.equal(migrated.code, 78);
    assert.equal(JSON.parse(migrated.stderr).error.code, 'database_denied');
    const up = await askCli(['up', '--spool', path.dirname(files.password)], { url, env });
    assert.equal(up.code, 78);
    assert.equal(grantIn(up.stderr), grantIn(migrated.stderr));
    await world.rows(grantIn(migrated.stderr));
    const granted = await askCli(['migrate'], { url, env });
    assert.equal(granted.code, 0, granted.stderr);

    const open = new URL(url);
    open.password = encodeURIComponent(password);
    const node = await world.join('a', { url: open.href });
    const [launch] = await node.claim();
    assert.ok(launch);
    assert.deepEqual(await node.start(launch), { verdict: 'done' });
    assert.deepEqual(await node.finish(launch), { verdict: 'done' });
  });

  test('the doctor names each right that an account lacks and ends with 1', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const url = await makeAccount(t, world, 'SELECT, INSERT, UPDATE');
    const { password: file } = await makeFiles(t, { password });
    const flags = ['--database-url', url, '--database-password-file', file];
    const { code, stdout } = await askCli(['doctor', ...flags]);
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL +grants +the account lacks: DELETE on job, DELETE on job_group/m);
    await world.rows(grantIn(stdout));
    const granted = await askCli(['doctor', ...flags]);
    assert.equal(granted.code, 0, granted.stdout);
    const removed = await askCli(['job', 'list', ...flags]);
    assert.equal(removed.code, 0);
  });

  test('a wrong password is a configuration fault that does not repeat it', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const url = new URL(await makeAccount(t, world, 'SELECT'));
    url.password = 'not-this-one';
    const { code, stdout, stderr } = await askCli(['job', 'list'], { url: url.href });
    assert.equal(code, 78);
    assert.match(stderr, /^statecron: The database refused the login: /);
    assert.match(
      stderr,
      /hint: .* An account for \S+ alone, or an anonymous one .* is taken before/,
    );
    assert.doesNotMatch(stdout + stderr, /not-this-one/);
    const doctor = await askCli(['doctor'], { url: url.href });
    assert.equal(doctor.code, 1);
    assert.doesNotMatch(doctor.stdout + doctor.stderr, /not-this-one/);
  });

  test('the URL is found by flag, file and either variable, in that order', async (t) => {
    const world = await makeStoreWorld(t, engine);
    const { good, empty } = await makeFiles(t, { good: `${world.url}\n`, empty: '\n' });
    const wrong = 'mysql://root@127.0.0.1:1/nowhere';
    const list = (args: string[], env: Record<string, string>) =>
      askCli(['job', 'list', ...args], { env });
    const found = [
      await list(['--database-url', world.url], { STATECRON_DATABASE_URL: wrong }),
      await list(['--database-url-file', good], { STATECRON_DATABASE_URL: wrong }),
      await list([], { STATECRON_DATABASE_URL: world.url, DATABASE_URL: wrong }),
      await list([], { STATECRON_DATABASE_URL_FILE: good, DATABASE_URL: wrong }),
      await list([], { DATABASE_URL: world.url }),
      await list([], { DATABASE_URL_FILE: good, STATECRON_DATABASE_URL: '' }),
    ];
    assert.deepEqual(
      found.map(({ code }) => code),
      [0, 0, 0, 0, 0, 0],
    );
    const refused = [
      await list([], { DATABASE_URL: world.url, DATABASE_URL_FILE: good }),
      await list([], { DATABASE_URL_FILE: '/no/such/file' }),
      await list([], { DATABASE_URL_FILE: empty }),
      await list([], { DATABASE_URL: 'postgres://x/y' }),
      await list([], { DATABASE_URL: `${world.url}&ssl=maybe` }),
      await list([], { DATABASE_URL: `${world.url}&sslCa=/no/such/file` }),
    ];
    assert.deepEqual(
      refused.map(({ code }) => code),
      [78, 78, 78, 78, 78, 78],
    );
    for (const { stderr } of refused) assert.match(stderr, /^statecron: .*\nhint: .*\n$/);
  });
});
