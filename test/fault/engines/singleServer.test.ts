import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import mysql from 'mysql2/promise';
import { enginesNow } from '../../support/enginesNow.ts';
import { until, within } from '../../support/until.ts';
import type { EngineMember, FaultEngine } from './faultEngine.ts';
import { withFaultEngine } from './withFaultEngine.ts';

for (const name of enginesNow()) {
  await withFaultEngine(name, name === 'mariadb' ? {} : { faketime: false }, (engine) => {
    const [member] = engine.members as [EngineMember];
    testLives(engine, member);
    testRights(engine, member);
    if (engine.can.stepClock) testClock(member);
  });
}

function testLives(engine: FaultEngine, member: EngineMember): void {
  test('what was committed is there after a kill, on the same port', async () => {
    const database = await engine.createDatabase();
    const table = `${database}.item`;
    await member.query(`CREATE TABLE ${table} (item_id INT PRIMARY KEY)`);
    await member.query(`INSERT INTO ${table} VALUES (1)`);
    await member.kill();
    assert.deepEqual([await member.state(), await member.isWritable()], ['dead', false]);
    await assert.rejects(member.query('SELECT 1'), { code: 'ECONNREFUSED' });
    await member.start();
    assert.equal(await member.state(), 'running');
    assert.deepEqual(await member.query(`SELECT item_id FROM ${table}`), [{ item_id: 1 }]);
    await member.restart();
    await until('it takes writes', () => member.isWritable());
  });

  test('a stopped server takes connections and does not answer, and goes on', async () => {
    await member.stop();
    assert.deepEqual([await member.state(), await member.isWritable()], ['stopped', false]);
    const late = mysql.createConnection({ uri: member.userUrl(), connectTimeout: 300 });
    await assert.rejects(late, { code: 'ETIMEDOUT' });
    await member.cont();
    await until('it takes writes', () => member.isWritable());
  });

  test('a stopped server can be killed, and heal makes everything well', async () => {
    await member.query('SET GLOBAL read_only = ON');
    await member.stop();
    await member.kill();
    await engine.heal();
    await until('it takes writes', async () => (await engine.writable())[0] === member);
  });
}

function testRights(engine: FaultEngine, member: EngineMember): void {
  test('read_only binds the ordinary user and not the administrator', async () => {
    const database = await engine.createDatabase();
    await member.query('SET GLOBAL read_only = ON');
    assert.equal(await member.isWritable(), false);
    await member.query(`CREATE TABLE ${database}.item (item_id INT PRIMARY KEY)`);
    await engine.heal();
    const user = await mysql.createConnection(member.userUrl(database));
    await user.query('INSERT INTO item VALUES (1)');
    await assert.rejects(user.query('SET GLOBAL read_only = ON'), { errno: 1227 });
    await user.end();
  });
}

function testClock(member: EngineMember): void {
  test("the server's clock is stepped while it runs, and what it times is not", async () => {
    /** Between the least and the most that it can be: the answer takes its time, too. */
    const offsetMs = async () => {
      const sentMs = Date.now();
      const [row] = await member.query('SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now_ms');
      return [Number(row?.now_ms) - Date.now(), Number(row?.now_ms) - sentMs] as const;
    };
    for (const stepMs of [3_600_000, -3_600_500, 0]) {
      await member.stepClock(stepMs);
      const [leastMs, mostMs] = await offsetMs();
      const measured = `${leastMs} to ${mostMs} ms after a step of ${stepMs} ms`;
      assert.ok(leastMs < stepMs + 2_000 && mostMs > stepMs - 2_000, measured);
    }
    const holder = await mysql.createConnection(member.adminUrl());
    await holder.query("SELECT GET_LOCK('held', 0)");
    const began = performance.now();
    const waiting = member.query("SELECT GET_LOCK('held', 1) AS got");
    await member.stepClock(-3_600_000);
    assert.deepEqual(await within('the lock wait', waiting), [{ got: 0 }]);
    assert.ok(performance.now() - began >= 900);
    await member.stepClock(0);
    await holder.end();
  });
}

test('a server ends with its owner, even when both were stopped and killed', async () => {
  const file = fileURLToPath(new URL('fixtures/engineOwner.ts', import.meta.url));
  const owner = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await within('its port', once(createInterface(owner.stdout), 'line'), 60_000);
  const port = Number(line);
  assert.equal(await isFree(port), false);
  owner.kill('SIGKILL');
  await until('its server is gone', () => isFree(port));
});

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
