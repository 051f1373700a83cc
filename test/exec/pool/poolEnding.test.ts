import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FencedError } from '../../../src/exec/lease/fencedError.ts';
import { until } from '../../support/until.ts';
import { createTestPool, isAlive, pidsIn, spawnWays, textOf, timedOutWhenUp } from './testPool.ts';

for (const spawnWay of spawnWays) {
  describe(`the end of a run by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay });
    const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
    let files = 0;
    const newFile = () => join(folder, `pids-${++files}`);
    after(async () => {
      await pool.close();
      rmSync(folder, { recursive: true });
    });

    test('by time-out ends the whole tree with SIGTERM', async () => {
      let file = '';
      const { execution, timeoutMs } = await timedOutWhenUp(
        (timeoutMs) => {
          file = newFile();
          const noted = `echo $! >> ${file}`;
          const command = `sleep 100 & ${noted}; setsid sleep 100 & ${noted}; wait`;
          return pool.runCommand(command, { timeoutMs, graceMs: 20_000 });
        },
        () => pidsIn(file, 2),
      );
      assert.deepEqual([execution.result, execution.signal], ['timed_out', 'SIGTERM']);
      // Bash may be seen to end a moment before those that got the signal with it.
      const [first = '', ...others] = (execution.reason ?? '').split(/(?<=\.) (?=The shell left )/);
      assert.equal(first, `Timed out after ${timeoutMs} ms: SIGTERM.`);
      for (const each of others)
        assert.match(each, /^The shell left [12] .*, ended with SIGTERM\.$/);
      assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
    });

    test('by time-out comes to SIGKILL when SIGTERM is ignored', async () => {
      let file = '';
      const { execution } = await timedOutWhenUp(
        (timeoutMs) => {
          file = newFile();
          const noted = `echo $$ >> ${file}; sleep 100 & echo $! >> ${file}`;
          return pool.runCommand(`trap '' TERM; ${noted}; wait; wait`, { timeoutMs });
        },
        () => pidsIn(file, 2),
      );
      assert.deepEqual([execution.result, execution.signal], ['timed_out', 'SIGKILL']);
      assert.match(execution.reason ?? '', /SIGTERM, then SIGKILL 400 ms later/);
      assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
    });

    test('by SIGTERM or SIGKILL never lets a shell go on to its next command', async () => {
      for (const trap of ["trap '' TERM;", '']) {
        const command = `${trap} for i in {1..50}; do sleep 100; echo went on; done`;
        const execution = await pool.runCommand(command, { timeoutMs: 200, graceMs: 100 });
        assert.equal(execution.result, 'timed_out');
        assert.equal(textOf(execution), '');
      }
    });

    test('by stop is told as stopped, with what was printed', async () => {
      const file = newFile();
      const request = pool.request(`echo before; echo $$ > ${file}; sleep 100`);
      const run = pool.run(request);
      await until('the job is up', () => pidsIn(file, 1));
      pool.stop(request.launchId, 'stopped');
      const execution = await run;
      assert.equal(execution.result, 'stopped');
      assert.equal(textOf(execution), 'before\n');
    });

    test('keeps the first reason: a stop after the time-out changes nothing', async () => {
      let file = '';
      const { execution } = await timedOutWhenUp(
        async (timeoutMs) => {
          file = newFile();
          const command = `trap 'echo 1 >> ${file}' TERM; while :; do sleep 0.05; done`;
          const request = pool.request(command, { timeoutMs, graceMs: 1_000 });
          let hasEnded = false;
          const run = pool.run(request).finally(() => {
            hasEnded = true;
          });
          await until('SIGTERM has come', () => hasEnded || pidsIn(file, 1), 120_000);
          pool.stop(request.launchId, 'stopped');
          return run;
        },
        () => pidsIn(file, 1),
      );
      assert.equal(execution.result, 'timed_out');
    });

    test('comes at once when it is asked for before the thread has the run', async () => {
      const request = pool.request('sleep 100');
      const run = pool.run(request);
      pool.stop(request.launchId, 'stopped');
      assert.equal((await run).result, 'stopped');
    });

    test('as fenced kills without grace, and the run is rejected', async () => {
      const file = newFile();
      const command = `trap '' TERM; echo $$ > ${file}; while :; do sleep 1; done`;
      const request = pool.request(command, { graceMs: 60_000 });
      const rejected = assert.rejects(pool.run(request), FencedError);
      const pids = await until('the job is up', () => pidsIn(file, 1));
      pool.stop(request.launchId, 'fenced');
      await rejected;
      assert.deepEqual(pids.map(isAlive), [false]);
    });

    test('takes along what the shell left running, and says so', async () => {
      const file = newFile();
      const stubborn = join(folder, 'stubborn');
      writeFileSync(stubborn, `trap '' TERM; echo $$ >> ${file}; while :; do sleep 1; done`);
      const both = `until [ "$(wc -l < ${file})" -eq 2 ]; do sleep 0.05; done`;
      const command = `(setsid bash ${stubborn} &) ; sleep 100 & echo $! >> ${file}; ${both}`;
      const execution = await pool.runCommand(command);
      assert.equal(execution.result, 'succeeded');
      assert.match(
        execution.reason ?? '',
        /^The shell left \d processes running, ended with SIGKILL\.$/,
      );
      assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
    });

    test('sends SIGTERM to what the shell left running without waiting for the grace', async () => {
      // It would end by itself before the grace is over, and no signal would be told.
      const execution = await pool.runCommand('sleep 120 & exit 0', { graceMs: 600_000 });
      assert.equal(execution.reason, 'The shell left 1 process running, ended with SIGTERM.');
    });

    test('leaves time for a short rest, such as the last lines of a tee', async () => {
      // A busy machine may look too late to see a rest, or let one take too long: one of many.
      let tries = 0;
      const execution = await until('a rest is seen and comes to its own end', async () => {
        const restSeconds = [0.1, 0.03, 0][tries++ % 3];
        const each = await pool.runCommand(`(sleep ${restSeconds}; echo done) & exit 5`);
        assert.deepEqual([each.result, each.exitCode], ['failed', 5]);
        const own = /^The shell left \d+ process\w* running; it came to its own end\.$/;
        return own.test(each.reason ?? '') && each;
      });
      assert.equal(textOf(execution), 'done\n');
    });

    test('waits for the rest when the job says wait, but not past its time-out', async () => {
      const leftovers = 'wait';
      const patient = await pool.runCommand('(sleep 0.8; echo late) & exit 0', { leftovers });
      assert.deepEqual([patient.result, textOf(patient)], ['succeeded', 'late\n']);
      const { execution: bounded } = await timedOutWhenUp(
        (timeoutMs) =>
          pool.runCommand('sleep 100 & exit 0', { leftovers, timeoutMs, graceMs: 600_000 }),
        ({ exitCode }) => exitCode === 0,
      );
      assert.equal(bounded.result, 'timed_out');
      assert.match(bounded.reason ?? '', /The shell left 1 process running, ended with SIGTERM/);
    });

    test('leaves the rest alone when the job says leave, and says that it runs', async () => {
      const file = newFile();
      const began = performance.now();
      const command = `sleep 100 & echo $! > ${file}; echo out`;
      const execution = await pool.runCommand(command, { leftovers: 'leave' });
      assert.ok(performance.now() - began < 90_000, 'it waited for the rest');
      const [pid = 0] = pidsIn(file, 1) ?? [];
      assert.ok(isAlive(pid));
      process.kill(pid, 'SIGKILL');
      assert.equal(textOf(execution), 'out\n');
      assert.match(execution.reason ?? '', /The shell left 1 process running; it was left alone/);
    });

    test('does not touch what another run left to live while that one runs', async () => {
      const file = newFile();
      const daemon = `(setsid sleep 100 & echo $! > ${file})`;
      const request = pool.request(`${daemon}; sleep 100`);
      const run = pool.run(request);
      const [pid = 0] = await until('the daemon is up', () => pidsIn(file, 1));
      for (const result of await Promise.all([1, 2, 3].map(() => pool.runCommand('sleep 50 &')))) {
        assert.match(result.reason ?? '', /1 process /);
      }
      assert.ok(isAlive(pid));
      pool.stop(request.launchId, 'stopped');
      await run;
      assert.ok(!isAlive(pid));
    });

    test('is quick when a process elsewhere holds the output open', async () => {
      // A holder that is no descendant: it opened the pipe by itself and takes no mark along.
      const outside = createTestPool({ spawnWay });
      const [file, gate] = [newFile(), newFile()];
      const wait = `until [ -e ${gate} ]; do sleep 0.05; done`;
      const run = pool.runCommand(`echo $$ > ${file}; ${wait}; echo end`);
      const [pid] = await until('the job is up', () => pidsIn(file, 1));
      const holder = outside.request(`exec 9>/proc/${pid}/fd/1 && : > ${gate} && exec sleep 100`);
      const held = outside.run(holder);
      assert.equal(textOf(await run), 'end\n');
      assert.equal(outside.stats().running, 1, 'it was not waited for');
      outside.stop(holder.launchId, 'stopped');
      assert.equal((await held).result, 'stopped');
      await outside.close();
    });
  });
}

test('an orphan without mark, group and session is found through the launcher', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  const file = join(folder, 'pids');
  const inner = `sleep 100 & echo $! >> ${file}; echo $$ >> ${file}; exec sleep 100`;
  const both = `until [ "$(wc -l < ${file})" -eq 2 ]; do sleep 0.05; done`;
  const execution = await pool.runCommand(
    `: > ${file}; env -i setsid bash -c '${inner}' > /dev/null 2>&1 & ${both}`,
  );
  // SIGKILL on a machine that is too busy for them to end within their grace.
  assert.match(
    execution.reason ?? '',
    /The shell left 2 processes running, ended with SIG(TERM|KILL)/,
  );
  assert.deepEqual(pidsIn(file, 2)?.map(isAlive), [false, false]);
  await pool.close();
  rmSync(folder, { recursive: true });
});

test('a pool whose threads have not begun to listen is closed as soon as they do', async () => {
  // Word that was lost is given up after ten seconds, each time; slow threads now and then.
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && fastestMs >= 10_000; tries += 1) {
    const began = performance.now();
    await createTestPool({ threads: 2 }).close();
    fastestMs = Math.min(fastestMs, performance.now() - began);
  }
  assert.ok(fastestMs < 10_000, `${fastestMs} ms`);
});
