import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openDataFolder } from '../../../src/database/data/dataFolder.ts';
import { createDatabase } from '../../support/createDatabase.ts';
import { askCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';

test('a database without tables is told to have none yet', async (t) => {
  const url = await createDatabase(t);
  for (const command of [
    ['node', '--name', 'w1'],
    ['migrate', '--check'],
  ]) {
    const { code, stderr } = await runCli(command, { url });
    assert.notEqual(code, 0);
    const empty =
      /statecron: The database has no tables of statecron yet\.\nhint: Run statecron mi/;
    assert.match(stderr, empty, command[0]);
  }
});

test('a command on the private database says so, and that STATECRON_URL is not used', async (t) => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'statecron-private-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  const { data } = await openDataFolder(root);
  await mkdir(data, { recursive: true });
  // What is looked for are the arguments of a server.
  const args = [`--datadir=${data}`, `--socket=${root}/no.sock`];
  const server = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)', '--', ...args]);
  t.after(() => server.kill());
  const env = { STATECRON_DATA: root, STATECRON_URL: 'http://127.0.0.1:1' };
  const note =
    /note: no database is given: this is about that of "statecron up"; STATECRON_URL is not/;
  assert.match((await askCli(['doctor'], { env })).stderr, note);
  const given = await askCli(['doctor'], { env, url: 'mysql://127.0.0.1:1/nothing' });
  assert.doesNotMatch(given.stderr, /STATECRON_URL/);
  const { STATECRON_DATA } = env;
  const own = await askCli(['job', 'pause', 'a'], { env: { STATECRON_DATA } });
  assert.match(own.stderr, /^\(the database of statecron up; none is given\)\nstatecron: /);
  const json = await askCli(['job', 'pause', 'a', '--json'], { env: { STATECRON_DATA } });
  assert.equal(JSON.parse(json.stderr).error.code, 'database_away');
  assert.doesNotMatch(given.stderr, /none is given/);
  assert.doesNotMatch((await askCli(['doctor'], { env: { STATECRON_DATA } })).stderr, /note:/);
});
