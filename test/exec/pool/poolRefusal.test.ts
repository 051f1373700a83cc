import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';
import { createTestPool, spawnWays } from './testPool.ts';

const refusals: [string, string, Partial<RunRequest>, RegExp][] = [
  ['a missing folder', 'true', { cwd: '/no/such' }, /directory \/no\/such cannot be .*ENOENT/],
  ['a folder that is a file', 'true', { cwd: '/etc/passwd' }, /\/etc\/passwd cannot be .*ENOTDIR/],
  ['a NUL byte in the command', 'echo \0', {}, /command contains a NUL/],
  ['a NUL byte in a variable', 'true', { env: { A: '\0' } }, /variable A contains a NUL/],
  ['a NUL byte in the folder', 'true', { cwd: '/tmp\0' }, /directory contains a NUL/],
  ['a variable name with =', 'true', { env: { 'A=B': '' } }, /"A=B" cannot be the name/],
  ['4 MB of command', `true ${'x'.repeat(4e6)}`, {}, /4000005 bytes.*2 MiB.*E2BIG/],
  ['a variable of 140 kB', 'true', { env: { A: 'x'.repeat(14e4) } }, /131,071 bytes.*E2BIG/],
];

for (const spawnWay of spawnWays) {
  describe(`a run that cannot be started by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay });
    after(() => pool.close());

    for (const [title, command, more, reason] of refusals) {
      test(`ends as spawn_failed with a reason: ${title}`, async () => {
        const execution = await pool.runCommand(command, more);
        assert.equal(execution.result, 'spawn_failed');
        assert.match(execution.reason ?? '', reason);
        assert.deepEqual([execution.exitCode, execution.signal], [null, null]);
        assert.equal((await pool.runCommand('exit 0')).result, 'succeeded');
      });
    }

    test('ends as spawn_failed when there is no bash', async () => {
      const lone = createTestPool({ spawnWay, bashPath: '/no/such/bash' });
      const execution = await lone.runCommand('true');
      assert.equal(execution.result, 'spawn_failed');
      assert.match(execution.reason ?? '', /bash cannot be started.*ENOENT/);
      await lone.close();
    });
  });
}
