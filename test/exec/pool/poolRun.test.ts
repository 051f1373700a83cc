import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createTestPool, spawnWays, textOf } from './testPool.ts';

for (const spawnWay of spawnWays) {
  describe(`a run by the ${spawnWay} way`, () => {
    const secrets = {
      LD_PRELOAD: '/nonexistent.so',
      NODE_OPTIONS: '--no-warnings',
      DATABASE_URL: 'mysql://root:secret@localhost/x',
      BASH_ENV: '/nonexistent',
    };
    const nodeEnv = { PATH: process.env.PATH, HOME: tmpdir(), LANG: 'C.UTF-8', ...secrets };
    const pool = createTestPool({ spawnWay, nodeEnv });
    const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
    after(async () => {
      await pool.close();
      rmSync(folder, { recursive: true });
    });

    test('uses the way that was asked for', () => {
      assert.equal(pool.stats().spawnWay, spawnWay);
    });

    test('succeeds with exit code 0 and says nothing else', async () => {
      const { output, endedBootMs: _, ...rest } = await pool.runCommand('echo hello');
      assert.equal(Buffer.from(output).toString(), 'hello\n');
      const silent = { result: 'succeeded', exitCode: 0, signal: null, reason: null };
      assert.deepEqual(rest, { ...silent, outputBytes: 6 });
    });

    for (const [command, exitCode] of [
      ['exit 3', 3],
      ['exit 300', 44],
      ['/etc/passwd', 126],
      ['no-such-program-at-all', 127],
      ["bash -c 'kill -9 $$'; exit $?", 137],
    ] as const) {
      test(`of ${command} fails with exit code ${exitCode}`, async () => {
        const execution = await pool.runCommand(command);
        assert.deepEqual([execution.result, execution.exitCode], ['failed', exitCode]);
        assert.equal(execution.signal, null);
      });
    }

    for (const signal of ['SIGSEGV', 'SIGKILL', 'SIGTERM'] as const) {
      test(`that dies of ${signal} says so`, async () => {
        const execution = await pool.runCommand(`kill -${signal.slice(3)} $$`);
        assert.deepEqual([execution.result, execution.exitCode], ['failed', null]);
        assert.equal(execution.signal, signal);
      });
    }

    test('gets the allowed environment, its own and the mark, and no secrets', async () => {
      const env = { OWN: 'a=b c', STATECRON_LAUNCH_ID: 'forged', PATH: '/usr/bin:/bin' };
      const execution = await pool.runCommand('env -0', { env, launchId: `${pool.sessionId}:e` });
      const pairs = textOf(execution).split('\0').slice(0, -1);
      const seen = new Map(pairs.map((pair) => pair.split(/=(.*)/s) as [string, string]));
      for (const added of ['_', 'PWD', 'OLDPWD', 'SHLVL']) seen.delete(added);
      assert.deepEqual(Object.fromEntries(seen), {
        PATH: '/usr/bin:/bin',
        HOME: tmpdir(),
        LANG: 'C.UTF-8',
        OWN: 'a=b c',
        STATECRON_JOB: 'probe',
        STATECRON_LAUNCH_ID: `${pool.sessionId}:e`,
        STATECRON_SCHEDULED_FOR: '2030-01-02T03:04:05.006Z',
        STATECRON_ATTEMPT: '2',
        STATECRON_NODE: 'test-node',
      });
    });

    test('sees descriptors 0, 1 and 2 only', async () => {
      // The shell's own glob opens the folder as one more descriptor, closed when echo runs.
      const command = 'for fd in /proc/$$/fd/*; do [ -e $fd ] && echo -n $(basename $fd)" "; done';
      assert.equal(textOf(await pool.runCommand(command)), '0 1 2 ');
    });

    test('has default signals, unblocked, and a session of its own', async () => {
      const command = "grep -E 'SigIgn|SigBlk' /proc/self/status; cut -d' ' -f1,5,6 /proc/$$/stat";
      const [blocked, ignored, numbers] = textOf(await pool.runCommand(command)).split('\n');
      assert.match(blocked ?? '', /SigBlk:\s0+$/);
      assert.match(ignored ?? '', /SigIgn:\s0+$/);
      assert.match(numbers ?? '', /^(\d+) \1 \1$/);
    });

    test('keeps standard output and error in order of arrival', async () => {
      const command = 'for i in 1 2 3 4; do echo o$i; echo e$i >&2; done';
      assert.equal(textOf(await pool.runCommand(command)), 'o1\ne1\no2\ne2\no3\ne3\no4\ne4\n');
    });

    test('writes to a pipe that /dev/stderr and /dev/stdout can open', async () => {
      const execution = await pool.runCommand('echo a > /dev/stderr; echo b > /dev/stdout');
      assert.equal(textOf(execution), 'a\nb\n');
    });

    test('has an empty standard input, or the text that was given', async () => {
      assert.equal(textOf(await pool.runCommand('cat | wc -c')), '0\n');
      const stdin = 'line\n'.repeat(100_000);
      assert.equal(textOf(await pool.runCommand('wc -c', { stdin })), '500000\n');
      assert.equal((await pool.runCommand('exec <&-; true', { stdin })).result, 'succeeded');
    });

    test('is in the home folder, or in its own', async () => {
      assert.equal(textOf(await pool.runCommand('pwd')), `${tmpdir()}\n`);
      assert.equal(textOf(await pool.runCommand('pwd', { cwd: folder })), `${folder}\n`);
    });

    test('keeps binary output byte for byte', async () => {
      const bytes = Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 256));
      const command = 'base64 -d';
      const execution = await pool.runCommand(command, { stdin: bytes.toString('base64') });
      assert.deepEqual(Buffer.from(execution.output), bytes);
    });

    test('of a command of 140 kB and of 1 MB works, with nothing left in $@', async () => {
      for (const bytes of [131_071, 131_072, 140_000, 1_000_000]) {
        const tail = ' | wc -c; echo "$# $*"; set | grep -c ^__stat';
        const text = 'ü'.repeat((bytes - tail.length - 8) / 2);
        const execution = await pool.runCommand(`echo -n ${text}${tail}`);
        assert.equal(textOf(execution), `${Buffer.byteLength(text)}\n0 \n0\n`);
      }
    });
  });
}
