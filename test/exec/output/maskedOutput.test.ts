import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../support/until.ts';
import { createTestPool, spawnWays, textOf } from '../pool/testPool.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-masked-'));
after(() => rmSync(folder, { recursive: true }));
const secret = { env: { TOKEN: 'open-sesame-42', PLAIN: 'word' }, secretNames: ['TOKEN'] };

for (const spawnWay of spawnWays) {
  const pool = createTestPool({ spawnWay });
  after(() => pool.close());

  test(`${spawnWay}: a job has its secrets, and what it prints of them is masked`, async () => {
    const command = 'echo "$PLAIN"; [ "$TOKEN" = open-sesame-"42" ] && printf "<$TOKEN>" >&2';
    const execution = await pool.runCommand(command, secret);
    assert.equal(execution.exitCode, 0);
    assert.equal(textOf(execution), 'word\n<***>');
    assert.equal(execution.outputBytes, 10);
  });

  test(`${spawnWay}: no half of a secret stands where an output is cut`, async () => {
    // However the head and the tail fall, each begins and ends inside of a secret.
    const command = 'for i in {1..400}; do printf "$TOKEN$TOKEN-"; done';
    for (const outputBytesMax of [1, 2, 7, 40, 41, 100]) {
      const execution = await pool.runCommand(command, { ...secret, outputBytesMax });
      const kept = textOf(execution).replace(/\n\[statecron: \d+ bytes left out\]\n/, '');
      assert.match(kept, /^[*-]*$/);
      assert.equal(kept.length, outputBytesMax);
    }
  });

  test(`${spawnWay}: a look while it runs shows none, not even its beginning`, async () => {
    const gate = path.join(folder, spawnWay);
    const wait = `until [ -e ${gate} ]; do sleep 0.05; done`;
    const half = `printf "a%s" "\${TOKEN:0:6}"; ${wait}; printf "%s b" "\${TOKEN:6}"`;
    const request = pool.request(half, secret);
    const run = pool.run(request);
    const seen: string[] = [];
    await until('two looks have seen something', async () => {
      const live = await pool.peek(request.launchId, 1_000);
      if (live !== null && live.output.length > 0) seen.push(Buffer.from(live.output).toString());
      return seen.length >= 2;
    });
    writeFileSync(gate, '');
    assert.deepEqual([...new Set(seen)], ['a']);
    assert.equal(textOf(await run), 'a*** b');
  });
}
