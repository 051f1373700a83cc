import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { bootMs } from '../../../src/exec/lease/bootClock.ts';
import { FencedError } from '../../../src/exec/lease/fencedError.ts';
import { openLeaseFile } from '../../../src/exec/lease/leaseFile.ts';
import { readMark, readProcess } from '../../../src/exec/process/processTree.ts';
import { until } from '../../support/until.ts';
import { createTestPool, isAlive, pidsIn, spawnWays } from './testPool.ts';

const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(folder, { recursive: true }));

/** Living processes whose mark begins with the session's. */
function processesOf(sessionId: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isAlive(pid) && readMark(pid)?.startsWith(`${sessionId}:`));
}

/** A child of the launcher has its mark, too, until it is bash: one is always forked ahead. */
const markedAsLauncher = (sessionId: string, parent: number) =>
  processesOf(sessionId).find(
    (pid) => readMark(pid) === `${sessionId}:launcher` && readProcess(pid)?.parentPid === parent,
  );

const launcherOf = (sessionId: string) => markedAsLauncher(sessionId, process.pid);

for (const spawnWay of spawnWays) {
  describe(`a pool of the ${spawnWay} way`, () => {
    test('starts nothing without a lease', async () => {
      const lease = openLeaseFile();
      const pool = createTestPool({ spawnWay, leaseFd: lease.fd });
      const file = join(folder, randomUUID());
      lease.write(0);
      await assert.rejects(pool.runCommand(`echo 1 >> ${file}`), FencedError);
      lease.write(bootMs() + 60_000);
      assert.equal((await pool.runCommand(`echo 2 >> ${file}`)).result, 'succeeded');
      assert.deepEqual(pidsIn(file, 1), [2]);
      await pool.close();
      lease.close();
    });

    test('kills all at once, setsid grandchildren too, and starts nothing more', async () => {
      const pool = createTestPool({ spawnWay, threads: 2 });
      const file = join(folder, randomUUID());
      const noted = `echo $$ >> ${file}; setsid sleep 100 & echo $! >> ${file}`;
      const command = `trap '' TERM; ${noted}; wait`;
      const runs = Array.from({ length: 10 }, () =>
        assert.rejects(pool.runCommand(command), FencedError),
      );
      const pids = await until('the children are up', () => pidsIn(file, 20));
      const killing = pool.killEverything();
      await assert.rejects(pool.runCommand(`echo 1 >> ${file}`), FencedError);
      await killing;
      assert.deepEqual(pids.filter(isAlive), []);
      assert.deepEqual(processesOf(pool.sessionId), []);
      await pool.close();
      await Promise.all(runs);
      assert.equal(pidsIn(file, 20)?.length, 20);
    });

    test('that is closed while something runs kills it', async () => {
      const pool = createTestPool({ spawnWay });
      const file = join(folder, randomUUID());
      const run = assert.rejects(pool.runCommand(`echo $$ >> ${file}; sleep 100`), FencedError);
      const pids = await until('the child is up', () => pidsIn(file, 1));
      await pool.close();
      await run;
      assert.deepEqual(pids.filter(isAlive), []);
    });

    test('that is closed while it is killed starts no thread anew', async (t) => {
      let threads = 0;
      const count = () => {
        threads += 1;
      };
      process.on('worker', count);
      t.after(() => process.off('worker', count));
      const pool = createTestPool({ spawnWay });
      await pool.runCommand('true');
      await Promise.all([pool.killEverything(), pool.close()]);
      await setImmediate();
      assert.equal(threads, 1);
    });

    test('that is closed in peace leaves alone what a job left to live', async () => {
      const pool = createTestPool({ spawnWay });
      const file = join(folder, randomUUID());
      const command = `setsid sleep 100 > /dev/null 2>&1 & echo $! > ${file}`;
      await pool.runCommand(command, { leftovers: 'leave' });
      await pool.close();
      const [pid = 0] = pidsIn(file, 1) ?? [];
      // Bash itself may take a moment to go after its end was seen.
      await until('nothing else lives', () => processesOf(pool.sessionId).length === 1);
      assert.deepEqual(processesOf(pool.sessionId), [pid]);
      process.kill(pid, 'SIGKILL');
    });
  });
}

test('a launcher that dies is fatal, once, and the run that it had does not resolve', async () => {
  const errors: Error[] = [];
  const pool = createTestPool({ spawnWay: 'launcher', onFatal: (error) => errors.push(error) });
  const file = join(folder, randomUUID());
  const run = assert.rejects(pool.runCommand(`echo $$ > ${file}; sleep 100`));
  const pids = await until('the child is up', () => pidsIn(file, 1));
  process.kill(launcherOf(pool.sessionId) ?? 0, 'SIGKILL');
  await until('the pool has told', () => errors.length > 0);
  await pool.killEverything();
  await pool.close();
  await run;
  assert.match(String(errors[0]), /launcher ended \(SIGKILL\)/);
  assert.equal(errors.length, 1);
  assert.deepEqual(pids.filter(isAlive), []);
});

test('a run ends as fenced when all is killed, though its launcher says nothing more', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  const file = join(folder, randomUUID());
  const run = assert.rejects(pool.runCommand(`echo $$ > ${file}; sleep 100`), FencedError);
  const pids = await until('the child is up', () => pidsIn(file, 1));
  process.kill(launcherOf(pool.sessionId) ?? 0, 'SIGSTOP');
  await pool.killEverything();
  await run;
  assert.deepEqual(pids.filter(isAlive), []);
  await pool.close();
});

test('a launcher takes no notice of the signals that a service manager sends to all', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  await pool.runCommand('true');
  const launcher = launcherOf(pool.sessionId) ?? 0;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(launcher, signal);
  assert.equal((await pool.runCommand('true')).result, 'succeeded');
  assert.ok(isAlive(launcher));
  await pool.close();
  assert.ok(!isAlive(launcher));
});

test('a child that was forked ahead and has been killed is no launch that failed', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  await pool.runCommand('true');
  const launcher = launcherOf(pool.sessionId) ?? 0;
  const ahead = await until('one is forked', () => markedAsLauncher(pool.sessionId, launcher));
  process.kill(ahead, 'SIGTERM');
  await until('it is gone', () => !isAlive(ahead));
  assert.equal((await pool.runCommand('true')).result, 'succeeded');
  await pool.close();
});
