import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { createTestPool, spawnWays } from './testPool.ts';

for (const spawnWay of spawnWays) {
  describe(`the output of a run under way, by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay, threads: 2 });
    const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
    after(async () => {
      await pool.close();
      rmSync(folder, { recursive: true });
    });

    test('is told as far as it has come, from the end, as much as was asked for', async () => {
      const [ready, go] = [join(folder, 'ready'), join(folder, 'go')];
      const waits = `until [ -e ${go} ]; do sleep 0.05; done`;
      const command = `echo first; head -c 3000 /dev/zero; echo last; touch ${ready}; ${waits}`;
      const request = pool.request(command, { outputBytesMax: 1_000 });
      const run = pool.run(request);
      await until('it has written', () => existsSync(ready));
      const peek = (bytesMax: number) => pool.peek(request.launchId, bytesMax);
      while ((await peek(100))?.outputBytes !== 3_011) await delay(10);
      const [some, all] = await Promise.all([peek(7), peek(10_000)]);
      assert.equal(Buffer.from(some?.output ?? []).toString(), '\0\0last\n');
      assert.equal(all?.output.length, 500, 'the tail that is kept, without a gap');
      assert.equal(all?.outputBytes, 3_011);
      writeFileSync(go, '');
      assert.equal((await run).outputBytes, 3_011, 'a look takes nothing away');
      assert.equal(await peek(100), null);
    });

    test('is null for a run that is not there', async () => {
      assert.equal(await pool.peek('nobody:1', 100), null);
    });
  });
}
