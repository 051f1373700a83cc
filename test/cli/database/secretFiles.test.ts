import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkMachine } from '../../../src/cli/database/doctorAction.ts';
import { readSecret } from '../../../src/cli/options/readSecret.ts';

test('a secret that all may write is refused, and one all may read is warned of', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-secret-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'password');
  writeFileSync(file, 'password\n');
  const read = (mode: number): string => {
    chmodSync(file, mode);
    return readSecret(file, 'the password');
  };
  const warned = async () => {
    const checks = await checkMachine([file]);
    return checks.flatMap(({ check, status }) => (check === 'secret file' ? status : []));
  };
  assert.equal(read(0o600), 'password');
  assert.deepEqual(await warned(), []);
  assert.equal(read(0o644), 'password');
  assert.deepEqual(await warned(), ['warn']);
  assert.throws(() => read(0o666), { code: 'secret_file', exitCode: 78 });
});
