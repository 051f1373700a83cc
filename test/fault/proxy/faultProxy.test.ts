import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { createDatabase, type Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { until, within } from '../../support/until.ts';
import { startFaultProxy } from './faultProxy.ts';
import type { StatementFault } from './statementFault.ts';

test('a proxy that nobody has closed keeps no process alive', async () => {
  const file = path.join(import.meta.dirname, 'fixtures/proxyOwner.ts');
  const owner = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' });
  const timer = setTimeout(() => owner.kill('SIGKILL'), 120_000);
  const [exitCode] = await once(owner, 'exit');
  clearTimeout(timer);
  assert.equal(exitCode, 0);
});

const put = '/* put */ INSERT INTO item (item_id) VALUES (?)';
const commit = '/* commit */ COMMIT';
const soonMs = 300;

await forEachEngine((engine) => {
  const makeWorld = async (scope: Scope) => {
    const url = await createDatabase(scope, engine);
    const straight = await connect(scope, url);
    await straight.query('CREATE TABLE item (item_id INT PRIMARY KEY) ENGINE = InnoDB');
    const proxy = await startFaultProxy(scope, url);
    return { url, straight, proxy, client: await connect(scope, proxy.url) };
  };

  const cuts: [StatementFault, boolean][] = [
    ['request lost', false],
    ['request torn', false],
    ['reply lost', true],
    ['reply torn', true],
  ];
  for (const [kind, isDone] of cuts) {
    test(`${kind}: the client is cut and the COMMIT ${isDone ? 'done' : 'not done'}`, async (t) => {
      const { straight, proxy, client } = await makeWorld(t);
      const armed = proxy.arm({ kind, statement: '/* commit */' });
      await client.query('START TRANSACTION');
      await client.query(put, [1]);
      await assert.rejects(client.query(commit), { fatal: true });
      assert.equal(await within('the cut', armed.hit), true);
      // Under the lock of the same row, since the server may not have noticed the cut yet.
      await straight.query('/* other */ INSERT IGNORE INTO item (item_id) VALUES (1)');
      const [result] = await straight.query<RowDataPacket[]>('SHOW WARNINGS');
      assert.equal(result.length === 1, isDone, 'it was there');
      await until('both sockets are closed', () => proxy.connections() === 0);
      const next = await connect(t, proxy.url);
      assert.deepEqual(await itemsOf(next), [1], 'the next connection is well');
    });
  }

  test('a delayed COMMIT is done when its client is long gone', async (t) => {
    const { straight, proxy, client } = await makeWorld(t);
    const armed = proxy.arm({ kind: 'request delayed', statement: 'commit' });
    await client.query('START TRANSACTION');
    await client.query(put, [1]);
    const failed = assert.rejects(client.query({ sql: commit, timeout: 100 }));
    await armed.hit;
    await failed;
    client.destroy();
    assert.deepEqual(await itemsOf(straight), [], 'a look without a lock says no');
    const underLock = straight.query('INSERT INTO item (item_id) VALUES (1)');
    armed.release();
    await assert.rejects(underLock, { errno: 1062 }, 'a look under the lock says the truth');
    await within('the end', armed.settled);
    await until('no socket is left', () => proxy.connections() === 0);
  });

  test('a request is delayed by its time, and its client gets the reply', async (t) => {
    const { proxy, client } = await makeWorld(t);
    proxy.arm({ kind: 'request delayed', statement: 'put', delayMs: soonMs });
    const began = performance.now();
    await client.query(put, [1]);
    assert.ok(performance.now() - began >= soonMs - 5);
    assert.deepEqual(await itemsOf(client), [1]);
  });

  test('a delayed reply is of a statement that is done', async (t) => {
    const { straight, proxy, client } = await makeWorld(t);
    const armed = proxy.arm({ kind: 'reply delayed', statement: 'put' });
    let answered = false;
    const done = client.query(put, [1]).then(() => {
      answered = true;
    });
    await armed.hit;
    assert.deepEqual(await itemsOf(straight), [1]);
    assert.equal(answered, false);
    armed.release();
    await done;
    await armed.settled;
    assert.deepEqual(await itemsOf(client), [1]);
  });

  for (const kind of ['half-open', 'half-open after'] as const) {
    test(`${kind}: neither side hears of the other's end until it is healed`, async (t) => {
      const { straight, proxy, client } = await makeWorld(t);
      const id = client.threadId;
      const armed = proxy.arm({ kind, statement: 'put' });
      await client.query('START TRANSACTION');
      const failed = assert.rejects(client.query({ sql: put, values: [1], timeout: soonMs }));
      await armed.hit;
      await failed;
      client.destroy();
      const isThere = async () => {
        const [rows] = await straight.query<RowDataPacket[]>('SHOW PROCESSLIST');
        return rows.some((row) => row.Id === id);
      };
      assert.equal(await isThere(), true, 'its connection stays, and so do its locks');
      if (kind === 'half-open after') {
        await straight.query('SET innodb_lock_wait_timeout = 1');
        const blocked = straight.query('INSERT INTO item (item_id) VALUES (1)');
        await assert.rejects(blocked, { errno: 1205 });
      }
      proxy.heal();
      await until('the server lets go', async () => !(await isThere()));
      await straight.query('INSERT INTO item (item_id) VALUES (1)');
    });
  }

  test('what was sent into a black hole arrives after it, its sender gone', async (t) => {
    const { straight, proxy, client } = await makeWorld(t);
    proxy.blackHole('both');
    await assert.rejects(client.query({ sql: put, values: [1], timeout: soonMs }));
    client.destroy();
    const late = mysql.createConnection({ uri: proxy.url, connectTimeout: soonMs });
    await assert.rejects(late, { code: 'ETIMEDOUT' }, 'nobody gets in');
    assert.deepEqual(await itemsOf(straight), []);
    proxy.blackHole(null);
    await until('the ghost', async () => (await itemsOf(straight)).length === 1);
    await until('no socket is left', () => proxy.connections() === 0);
  });

  test('a black hole of one direction leaves the other open', async (t) => {
    const { straight, proxy, client } = await makeWorld(t);
    proxy.blackHole('to client');
    let answered = false;
    const done = client.query(put, [1]).then(() => {
      answered = true;
    });
    await until('the server does it', async () => (await itemsOf(straight)).length === 1);
    assert.equal(answered, false);
    proxy.heal();
    await done;
    proxy.blackHole('to server');
    await assert.rejects(client.query({ sql: put, values: [2], timeout: soonMs }));
    assert.deepEqual(await itemsOf(straight), [1]);
  });

  test('of several faults the oldest that matches is done, after those it skips', async (t) => {
    const { proxy, client, straight } = await makeWorld(t);
    const cancelled = proxy.arm({ kind: 'request lost', statement: 'put' });
    cancelled.cancel();
    const second = proxy.arm({ kind: 'request lost', statement: 'put', skip: 1 });
    await client.query(put, [1]);
    await assert.rejects(client.query(put, [2]));
    assert.deepEqual([await cancelled.hit, await second.hit], [false, true]);
    const third = proxy.arm({ kind: 'request lost', statement: 'put' });
    proxy.heal();
    assert.equal(await third.hit, false);
    assert.deepEqual(await itemsOf(straight), [1]);
  });

  test('refused connections are refused by the system; those that are there go on', async (t) => {
    const { proxy, client } = await makeWorld(t);
    proxy.refuse(true);
    await assert.rejects(connect(t, proxy.url), { code: 'ECONNREFUSED' });
    await client.query(put, [1]);
    proxy.refuse(false);
    await connect(t, proxy.url);
    proxy.cutAll();
    await assert.rejects(client.query(put, [2]));
  });

  test('latency and a narrow line are felt, and healed', async (t) => {
    const { proxy, client } = await makeWorld(t);
    const ping = () => msOf(() => client.query('SELECT 1'));
    const load = () => msOf(() => client.query('SELECT REPEAT("x", 20000)'));
    proxy.delay(100);
    assert.ok((await ping()) >= 195, 'each way');
    proxy.delay(0);
    proxy.throttle(40_000);
    const slowMs = await load();
    assert.ok(slowMs >= 350, `20,000 bytes at 40,000 a second took ${slowMs} ms`);
    proxy.heal();
    await until('it is fast again', async () => (await load()) < slowMs / 2);
  });

  test('new connections lead where the proxy is turned to', async (t) => {
    const { proxy, client } = await makeWorld(t);
    const other = await createDatabase(t, engine);
    const proxyToOther = await startFaultProxy(t, other);
    proxy.retarget(proxyToOther.url);
    await client.query(put, [1]);
    assert.equal(proxyToOther.connections(), 0);
    await connect(t, proxy.url);
    assert.equal(proxyToOther.connections(), 1);
  });
});

async function connect(scope: Scope, url: string): Promise<Connection> {
  const connection = await mysql.createConnection({ uri: url });
  connection.on('error', () => undefined); // the tests look at what their statements say
  scope.after(async () => connection.destroy());
  return connection;
}

async function itemsOf(connection: Connection): Promise<number[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT item_id FROM item ORDER BY 1');
  return rows.map((row) => row.item_id as number);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
