import assert from 'node:assert/strict';
import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { clearLeftovers, openDataFolder } from '../../../src/database/data/dataFolder.ts';
import { OperatorError } from '../../../src/domain/errors/errors.ts';
import { temporaryFolder } from '../server/startOwner.ts';

test('a socket of an earlier version, in the data folder itself, is no fault', async (t) => {
  const dataDir = await temporaryFolder(t);
  await chmod(dataDir, 0o755);
  const folder = await openDataFolder(dataDir);
  // As it is after the server of an earlier version was adopted, and has died.
  folder.socket = path.join(folder.root, 'server.sock');
  await clearLeftovers(folder);
  assert.equal((await stat(folder.temporary)).mode & 0o777, 0o700);
});

test('a folder for the socket that others may enter is refused, never to be removed', async (t) => {
  const folder = await openDataFolder(await temporaryFolder(t));
  const place = path.dirname(folder.socket);
  await mkdir(place, { mode: 0o755 });
  await assert.rejects(clearLeftovers(folder), (error: unknown) => {
    assert.ok(error instanceof OperatorError);
    assert.deepEqual([error.code, error.exitCode], ['data_folder_unusable', 78]);
    assert.ok(error.hint.startsWith(`Look at what is in it, then: chmod 700 ${place}`));
    return true;
  });
});
