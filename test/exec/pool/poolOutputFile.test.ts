import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { createTestPool, spawnWays, textOf } from './testPool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'statecron-pool-outputs-'));
after(() => rmSync(folder, { recursive: true }));

for (const spawnWay of spawnWays) {
  describe(`the file of a run, by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay });
    after(() => pool.close());
    const planOf = (name: string, bytesMax = 1e9) => {
      return { path: path.join(folder, spawnWay, name, 's1-1.log'), bytesMax };
    };
    mkdirSync(path.join(folder, spawnWay), { mode: 0o700 });

    test('has all that it wrote, in order, however much that is', async () => {
      const outputFile = planOf('long');
      const execution = await pool.runCommand('seq 1 3000000; echo end >&2', { outputFile });
      assert.deepEqual([execution.result, execution.reason], ['succeeded', null]);
      assert.match(textOf(execution), /bytes left out/);
      const text = readFileSync(outputFile.path, 'utf8');
      assert.equal(text.length, execution.outputBytes);
      const lines = text.split('\n');
      assert.equal(lines.length, 3_000_002);
      assert.ok(lines.slice(0, 3_000_000).every((line, at) => line === `${at + 1}`));
      assert.equal(lines[3_000_000], 'end');
    });

    test('is there when the run has ended, and its secrets are masked', async () => {
      const outputFile = planOf('secret');
      const execution = await pool.runCommand('echo "it is $TOKEN."', {
        ...{ outputFile, env: { TOKEN: 'open-sesame' }, secretNames: ['TOKEN'] },
      });
      assert.equal(textOf(execution), 'it is ***.\n');
      assert.equal(readFileSync(outputFile.path, 'utf8'), 'it is ***.\n');
    });

    test('ends at its bound, and the run goes on', async () => {
      const outputFile = planOf('bounded', 100_000);
      const execution = await pool.runCommand('yes | head -c 100M', { outputFile });
      assert.deepEqual([execution.exitCode, execution.outputBytes], [0, 100 * 2 ** 20]);
      const note = '\n[statecron: the file ends here, after 100000 bytes]\n';
      assert.equal(statSync(outputFile.path).size, 100_000 + note.length);
    });

    test('that cannot be written leaves the run as it is, which says so', async () => {
      const outputFile = planOf('blocked');
      writeFileSync(path.dirname(outputFile.path), '');
      const execution = await pool.runCommand('echo output; exit 3', { outputFile });
      assert.deepEqual([execution.result, execution.exitCode], ['failed', 3]);
      assert.match(execution.reason ?? '', /^Its output file is not complete \(/);
      assert.equal(textOf(execution), 'output\n');
    });

    test('of many runs at once each has its own', async () => {
      const all = await Promise.all(
        Array.from({ length: 100 }, async (_, at) => {
          const outputFile = planOf(`many-${at}`);
          const { reason } = await pool.runCommand(`seq ${at} ${at + 5000}`, { outputFile });
          const [first] = readFileSync(outputFile.path, 'utf8').split('\n', 1);
          return [first, reason];
        }),
      );
      assert.deepEqual(
        all,
        all.map((_, at) => [`${at}`, null]),
      );
    });
  });
}
