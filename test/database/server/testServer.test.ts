import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { openDataFolder } from '../../../src/database/data/dataFolder.ts';
import { findRunningServer } from '../../../src/database/server/serverProcess.ts';
import { query, until } from './startOwner.ts';

test('a test server ends with its process, even when that is killed with SIGKILL', async (t) => {
  const program = path.join(import.meta.dirname, 'fixtures/testServer.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  const socketFolder = path.dirname(new URL(url).searchParams.get('socketPath') ?? '');
  const dataDir = path.dirname(socketFolder);
  const folder = await openDataFolder(dataDir);
  assert.ok(await findRunningServer(folder));

  child.kill('SIGKILL');
  await until('the server is gone', async () => (await findRunningServer(folder)) === undefined);
  const parent = path.dirname(dataDir);
  await until('its data is gone', async () => (await stat(parent).catch(() => null)) === null);
});
