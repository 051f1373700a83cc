import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { askCli } from './askCli.ts';

test('a backup that cannot be written is not blamed on the database', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  for (const name of ['backup', 'backup.gz']) {
    const { code, stderr } = await askCli(['backup', `/no/such/folder/${name}`], { url });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^statecron: The backup cannot be written to .*ENOENT.*\nhint: .*folder/);
  }
});
