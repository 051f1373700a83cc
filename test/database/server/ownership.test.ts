import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import {
  isOperatorError,
  killOwner,
  query,
  runs,
  startHere,
  startOwner,
  temporaryFolder,
  until,
} from './startOwner.ts';

test('a second start on a data folder is told the pid of the first and how to join', async (t) => {
  const dataDir = await temporaryFolder(t);
  const owner = await startOwner(t, dataDir);
  await assert.rejects(startHere(t, dataDir), (error: Error & { hint: string }) => {
    isOperatorError('already_running', 75)(error);
    assert.ok(error.message.includes(`pid ${owner.child.pid}`), error.message);
    assert.ok(error.hint.includes(`DATABASE_URL='${owner.shownUrl}'`), error.hint);
    assert.match(error.hint, / statecron node --name second$/, 'a whole command');
    assert.ok(error.hint.includes(`PASSWORD_FILE='${dataDir}/`), error.hint);
    return true;
  });
  assert.deepEqual(await query(owner.url, 'SELECT 1 AS one'), [{ one: 1 }], 'the first goes on');
});

test('of many starts at once on a new folder exactly one gets it', async (t) => {
  const dataDir = await temporaryFolder(t);
  const starts = await Promise.allSettled(Array.from({ length: 6 }, () => startHere(t, dataDir)));
  const started = starts.filter((start) => start.status === 'fulfilled');
  assert.equal(started.length, 1);
  for (const start of starts) {
    if (start.status === 'rejected') isOperatorError('already_running', 75)(start.reason);
  }
});

test('a server orphaned by a killed owner is adopted, not started again', async (t) => {
  const dataDir = await temporaryFolder(t);
  const owner = await startOwner(t, dataDir);
  await query(owner.url, 'CREATE TABLE kept (word VARCHAR(9)) SELECT "still" AS word');
  await killOwner(owner);
  const server = await startHere(t, dataDir);
  assert.equal(server.pid, owner.pid);
  assert.match(server.chosen, /left running by an earlier start/);
  assert.deepEqual(await query(server.url, 'SELECT word FROM kept'), [{ word: 'still' }]);
  await server.stop();
  assert.equal(await runs(owner.pid), false, 'an adopted server is stopped like any other');
});

test('an orphan that was frozen is woken and adopted', async (t) => {
  const dataDir = await temporaryFolder(t);
  const owner = await startOwner(t, dataDir);
  await killOwner(owner);
  process.kill(owner.pid, 'SIGSTOP');
  const server = await startHere(t, dataDir);
  assert.equal(server.pid, owner.pid);
});

test('an orphan that is going down is waited for, and a new server takes its place', async (t) => {
  const dataDir = await temporaryFolder(t);
  const owner = await startOwner(t, dataDir);
  await killOwner(owner);
  process.kill(owner.pid, 'SIGTERM');
  const server = await startHere(t, dataDir);
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await until('one server', async () => server.pid === owner.pid || !(await runs(owner.pid)));
});

test('owner and server killed together lose nothing that was committed', async (t) => {
  const dataDir = await temporaryFolder(t);
  const owner = await startOwner(t, dataDir);
  await query(owner.url, 'CREATE TABLE kept (word VARCHAR(9)) SELECT "still" AS word');
  process.kill(owner.pid, 'SIGKILL');
  await killOwner(owner);
  const server = await startHere(t, dataDir);
  assert.notEqual(server.pid, owner.pid);
  assert.deepEqual(await query(server.url, 'SELECT word FROM kept'), [{ word: 'still' }]);
});

test('a server that dies is started again under the same URL', async (t) => {
  const server = await startHere(t, await temporaryFolder(t));
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await until('another server', async () => server.pid !== pid);
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await server.stop();
  assert.equal(await runs(server.pid), false);
});

test('a Ctrl-C at the terminal does not reach the server', async (t) => {
  const owner = await startOwner(t, await temporaryFolder(t));
  process.kill(-(owner.child.pid as number), 'SIGINT');
  assert.deepEqual(await query(owner.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.notEqual(await sessionOf(owner.pid), await sessionOf(owner.child.pid as number));
});

/** Field 6 of proc(5) stat. */
async function sessionOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[3];
}
