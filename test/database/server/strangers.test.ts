import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import mysql from 'mysql2/promise';
import { findPrivateUrl } from '../../../src/cli/connect/readDatabase.ts';
import { isOperatorError, query, startHere, temporaryFolder } from './startOwner.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test('a data folder that others may enter lets nobody into its database', async (t) => {
  const dataDir = await temporaryFolder(t);
  await chmod(dataDir, 0o755);
  const server = await startHere(t, dataDir);
  const place = await stat(path.dirname(server.socketPath));
  assert.equal(place.mode & 0o777, 0o700, 'who may not enter its folder does not reach the socket');
  const { socketPath } = server;
  for (const user of ['root', '', 'mysql']) {
    const entering = mysql.createConnection({ socketPath, user });
    await assert.rejects(entering, { errno: 1045 }, user);
  }
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal((await stat(server.passwordFile)).mode & 0o777, 0o600);
  assert.equal(await findPrivateUrl(dataDir), server.url);
});

test('a server that an earlier version left without a password is given one', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await startHere(t, dataDir);
  await query(first.url, "ALTER USER 'root'@'localhost' IDENTIFIED BY ''");
  await query(first.url.replace(/:[^/@]*@/, '@'), "CREATE USER ''@'localhost'");
  await first.stop();
  const server = await startHere(t, dataDir);
  const { socketPath } = server;
  for (const user of ['root', '']) {
    await assert.rejects(mysql.createConnection({ socketPath, user }), { errno: 1045 });
  }
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('a data folder that others may write to is not used', async (t) => {
  const dataDir = await temporaryFolder(t);
  await chmod(dataDir, 0o777);
  await assert.rejects(startHere(t, dataDir), isOperatorError('data_folder_foreign', 78));
});

const skip = isRoot ? false : 'not run: only root can be somebody else';

test('a data folder of somebody else is not used', { skip }, async (t) => {
  const dataDir = path.join(await temporaryFolder(t), 'theirs');
  await mkdir(dataDir, { mode: 0o700 });
  await chown(dataDir, nobody, nobody);
  await assert.rejects(startHere(t, dataDir), isOperatorError('data_folder_foreign', 78));
});

/** A process of nobody's that claims to be the server of a data folder. */
async function startPretender(t: TestContext, dataDir: string): Promise<ChildProcess> {
  const script = '$| = 1; print "here\\n"; sleep 300';
  const claims = [`--datadir=${dataDir}/data`, '--socket=/tmp/evil.sock'];
  const child = spawn('perl', ['-e', script, '--', ...claims], {
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.stdout);
  await once(child.stdout, 'data');
  return child;
}

test('a process of somebody else is not taken for the database server', { skip }, async (t) => {
  const dataDir = await temporaryFolder(t);
  const pretender = await startPretender(t, dataDir);
  assert.equal(await findPrivateUrl(dataDir), null);
  const server = await startHere(t, dataDir);
  assert.notEqual(server.pid, pretender.pid);
  assert.equal(pretender.exitCode ?? pretender.signalCode, null, 'it is left alone');
});
