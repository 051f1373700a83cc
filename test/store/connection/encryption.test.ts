import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { databaseFault } from '../../../src/store/connection/databaseFault.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { openChannel } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  test('a connection is encrypted when it is asked for, where the server can', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [row] = await world.rows('SELECT @@ssl_ca AS ca, @@datadir AS folder');
    const canEncrypt = String(row?.ca ?? '') !== '';
    const channel = openChannel(t, `${world.url}&ssl=unverified`);
    if (!canEncrypt) {
      await assert.rejects(channel.query('SELECT 1'), (error) => {
        assert.equal(databaseFault(error)?.code, 'database_encryption', String(error));
        return true;
      });
      return;
    }
    const [cipher] = await channel.query("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
    assert.notEqual(cipher?.Value, '');
    // The server's own certificate is of an authority that nobody knows, and names no host.
    const file = encodeURIComponent(path.resolve(String(row?.folder), String(row?.ca)));
    const known = openChannel(t, `${world.url}&sslCa=${file}`);
    await known.query('SELECT 1');
    for (const parameters of ['ssl=required', `ssl=identity&sslCa=${file}`]) {
      const checked = openChannel(t, `${world.url}&${parameters}`);
      await assert.rejects(checked.query('SELECT 1'), (error) => {
        assert.equal(databaseFault(error)?.code, 'database_encryption', String(error));
        return true;
      });
    }
  });
});
