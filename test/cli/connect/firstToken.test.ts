import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { makeFirstToken } from '../../../src/cli/connect/firstToken.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { findHolders } from '../../../src/store/tokens/findHolder.ts';
import { revokeToken } from '../../../src/store/tokens/revokeToken.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';

test('a new database gets one token, in a file that nobody else can read', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-token-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const address = readDatabaseUrl(world.url);
  const file = await makeFirstToken(address, path.join(folder, 'new'));
  assert.equal(file, path.join(folder, 'new', 'token'));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
  const text = (await readFile(file, 'utf8')).trim();
  const holder = (await findHolders(world.channel, [text])).get(text);
  assert.deepEqual([holder?.name, holder?.role, holder?.groups], ['first', 'admin', null]);
  assert.equal(await makeFirstToken(address, folder), null, 'there is one');
  // As if it had been cut off before the token was in force.
  await world.rows('DELETE FROM api_token');
  assert.equal(await makeFirstToken(address, path.join(folder, 'new')), file);
  assert.ok(
    (await findHolders(world.channel, [text])).has(text),
    'the token of the file is in force',
  );
  await chmod(path.join(folder, 'new'), 0o777);
  await world.rows('DELETE FROM api_token');
  await assert.rejects(makeFirstToken(address, path.join(folder, 'new')), {
    code: 'data_folder_foreign',
    exitCode: 78,
  });
  await chmod(path.join(folder, 'new'), 0o700);
  assert.equal(await makeFirstToken(address, path.join(folder, 'new')), file);
  await revokeToken(world.channel, 'first');
  assert.equal(await makeFirstToken(address, folder), null, 'who revoked it wanted none');
});
