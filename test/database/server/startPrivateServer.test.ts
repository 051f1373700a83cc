import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { isOperatorError, query, runs, startHere, temporaryFolder } from './startOwner.ts';

test('a new data folder gets a database in it, private to its user', async (t) => {
  const dataDir = path.join(await temporaryFolder(t), 'deep', 'er');
  const server = await startHere(t, dataDir);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.match(server.chosen, /^MariaDB \d+\.\d+\.\d+ at \//);
  const url = new URL(server.url);
  assert.equal(url.pathname, '/statecron');
  assert.equal(url.searchParams.get('socketPath'), server.socketPath);
  const [row] = await query(
    server.url,
    `SELECT DATABASE() AS name, @@character_set_database AS characters, @@skip_networking AS closed,
      @@innodb_flush_log_at_trx_commit AS flush, @@sync_binlog AS binlog,
      @@innodb_doublewrite AS twice`,
  );
  assert.equal(row?.name, 'statecron');
  assert.equal(row?.characters, 'utf8mb4');
  assert.equal(row?.closed, 1);
  assert.equal(row?.flush, 1, 'every commit is on disk before it is acknowledged');
});

test('what was committed is there at the next start, which is faster', async (t) => {
  const dataDir = await temporaryFolder(t);
  const beforeFirst = performance.now();
  const first = await startHere(t, dataDir);
  const firstMs = performance.now() - beforeFirst;
  await query(first.url, 'CREATE TABLE kept (word VARCHAR(9)) SELECT "still" AS word');
  await first.stop();
  assert.equal(await runs(first.pid), false, 'stop returns when the server is gone');
  const times: number[] = [];
  // A busy machine may hold up a start, but not each of five.
  for (const isLast of [false, false, false, false, true]) {
    const beforeNext = performance.now();
    const next = await startHere(t, dataDir);
    const ms = performance.now() - beforeNext;
    times.push(ms);
    assert.deepEqual(await query(next.url, 'SELECT word FROM kept'), [{ word: 'still' }]);
    const isFast = ms < Math.max(firstMs, 3_000) && next.lines.length === 0;
    assert.ok(isFast || !isLast, `${times} ms after ${firstMs} ms; told: ${next.lines}`);
    if (isFast) break;
    await next.stop();
  }
});

test('a data folder too deep for a socket gets one in a private folder elsewhere', async (t) => {
  const dataDir = path.join(
    await temporaryFolder(t),
    'x'.repeat(100),
    'a "folder", named in UTF-8 (ü)',
  );
  const server = await startHere(t, dataDir);
  assert.ok(Buffer.byteLength(server.socketPath) < 108);
  assert.equal((await stat(path.dirname(server.socketPath))).mode & 0o777, 0o700);
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await server.stop();
  await assert.rejects(stat(path.dirname(server.socketPath)), { code: 'ENOENT' });
});

test('leftovers of a start that was killed are cleared and do no harm', async (t) => {
  const dataDir = await temporaryFolder(t);
  await (await startHere(t, dataDir)).stop();
  // A pid file that names a living process, and a socket that nobody listens on.
  await writeFile(path.join(dataDir, 'server.pid'), `${process.pid}\n`, { mode: 0o400 });
  await mkdir(path.join(dataDir, 'run'), { mode: 0o700 });
  await writeFile(path.join(dataDir, 'run/server.sock'), '');
  await writeFile(path.join(dataDir, 'run/server.sock.lock'), `${process.pid}\n`);
  await mkdir(path.join(dataDir, 'data.part-abc/mysql'), { recursive: true });
  const server = await startHere(t, dataDir);
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  const names = await readdir(dataDir);
  assert.deepEqual(
    names.filter((name) => name.includes('.part-')),
    [],
  );
});

test('data that a newer server wrote is not opened by an older one', async (t) => {
  const dataDir = await temporaryFolder(t);
  await (await startHere(t, dataDir)).stop();
  const madeBy = path.join(dataDir, 'server.json');
  for (const [flavour, version] of [
    ['mariadb', '99.1.0'],
    ['mysql', '8.0.36'],
  ]) {
    await writeFile(madeBy, JSON.stringify({ flavour, version }));
    await assert.rejects(startHere(t, dataDir), isOperatorError('data_folder_newer', 78));
  }
});

test('a server that does not start is reported with the end of its own log', async (t) => {
  const dataDir = await temporaryFolder(t);
  await (await startHere(t, dataDir)).stop();
  await writeFile(path.join(dataDir, 'data/ibdata1'), 'not a tablespace');
  await assert.rejects(startHere(t, dataDir), (error: Error) => {
    isOperatorError('database_start_failed', 69)(error);
    assert.match(error.message, /InnoDB/);
    return true;
  });
  assert.equal(await noServerIn(dataDir), true, 'what was begun is ended');
});

test('an abort ends what was begun and leaves the folder to the next start', async (t) => {
  const dataDir = await temporaryFolder(t);
  for (const word of ['Making', 'nothing more']) {
    const controller = new AbortController();
    const starting = startHere(t, dataDir, {
      signal: controller.signal,
      report: (line) => line.startsWith(word) && controller.abort(),
    });
    if (word === 'Making') await assert.rejects(starting, { name: 'AbortError' });
    else await (await starting).stop();
  }
  assert.equal(await noServerIn(dataDir), true);
});

test('a data folder that cannot be one is refused politely', async (t) => {
  const file = path.join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  for (const dataDir of [file, `${file}:colon`, '/dev/null/x']) {
    await assert.rejects(startHere(t, dataDir), isOperatorError('data_folder_unusable', 78));
  }
});

async function noServerIn(dataDir: string): Promise<boolean> {
  const { openDataFolder } = await import('../../../src/database/data/dataFolder.ts');
  const { findRunningServer } = await import('../../../src/database/server/serverProcess.ts');
  return (await findRunningServer(await openDataFolder(dataDir))) === undefined;
}
