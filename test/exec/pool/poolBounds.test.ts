import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createTestPool, spawnWays, textOf } from './testPool.ts';

/** More children at once than `select` was made for would need descriptors beyond 1,024. */
const crowd = 300;

for (const spawnWay of spawnWays) {
  describe(`what a run may cost, by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay });
    after(() => pool.close());

    test('256 MB of output leave the memory within 60 MB and are counted', async () => {
      // So that the heaps have the size that they keep, which differs between versions of Node.
      await pool.runCommand('yes 0123456789abcde | head -c 64M');
      const beforeBytes = process.memoryUsage.rss();
      let mostBytes = 0;
      const watch = setInterval(() => {
        mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
      }, 20);
      const execution = await pool.runCommand('yes 0123456789abcde | head -c 256M');
      clearInterval(watch);
      assert.equal(execution.outputBytes, 2 ** 28);
      const grownMb = (mostBytes - beforeBytes) / 1e6;
      assert.ok(mostBytes > 0 && grownMb < 60, `grew by ${grownMb.toFixed(0)} MB`);
    });

    test('head and tail are kept, with a line that tells what is not', async () => {
      const command = 'echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last';
      const execution = await pool.runCommand(command, { outputBytesMax: 1_000 });
      const text = textOf(execution);
      assert.match(text, /^first\nx+\n\[statecron: 999012 bytes left out\]\nx+\nlast\n$/);
      assert.equal(execution.outputBytes, 1_000_012);
    });

    test('a run that prints without end does not keep others from running', async () => {
      const noisy = pool.request('yes');
      const noise = pool.run(noisy);
      const results = await Promise.all(Array.from({ length: 10 }, () => pool.runCommand('true')));
      assert.ok(results.every(({ result }) => result === 'succeeded'));
      assert.equal(pool.stats().running, 1);
      pool.stop(noisy.launchId, 'stopped');
      assert.equal((await noise).result, 'stopped');
    });

    test(`${crowd} children at once each keep their own output and exit code`, async () => {
      const numbers = Array.from({ length: crowd }, (_, at) => at);
      const all = await Promise.all(
        numbers.map((at) => pool.runCommand(`echo ${at}; sleep 1; exit ${at % 200}`)),
      );
      assert.deepEqual(
        all.map(textOf),
        numbers.map((at) => `${at}\n`),
      );
      assert.deepEqual(
        all.map(({ exitCode }) => exitCode),
        numbers.map((at) => at % 200),
      );
      assert.deepEqual(pool.stats().running, 0);
    });

    test('a hundred runs later nothing is left: no descriptor, no zombie', async () => {
      const { readdirSync } = await import('node:fs');
      const countFds = () => readdirSync('/proc/self/fd').length;
      await Promise.all(Array.from({ length: 8 }, () => pool.runCommand('true')));
      const before = countFds();
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(Array.from({ length: 10 }, () => pool.runCommand('(sleep 0 &)')));
      }
      assert.ok(countFds() <= before + 4, `${before} descriptors became ${countFds()}`);
    });
  });
}
