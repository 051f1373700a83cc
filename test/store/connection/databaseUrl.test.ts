import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';

test('a URL asks for encryption, with or without a check of the certificate', () => {
  const optionsOf = (query: string) => readDatabaseUrl(`mysql://u:p@db/x${query}`).options.ssl;
  assert.equal(optionsOf(''), undefined);
  const of = (rejectUnauthorized: boolean, verifyIdentity: boolean) =>
    ({ rejectUnauthorized, verifyIdentity }) as const;
  assert.deepEqual(optionsOf('?ssl=identity'), of(true, true));
  assert.deepEqual(optionsOf('?ssl=required'), of(true, false));
  assert.deepEqual(optionsOf('?ssl=unverified'), of(false, false));
  const byAddress = () => readDatabaseUrl('mysql://u:p@db,[::1]:3/x?ssl=identity');
  assert.throws(byAddress, { code: 'database_url', message: /name of a host/ });
  for (const query of ['?ssl=yes', '?sslCa=/no/such/file', '?tls=1']) {
    assert.throws(() => optionsOf(query), { code: 'database_url', exitCode: 78 });
  }
});

test('files of a certificate authority, a certificate and a key are read', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-tls-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const query = await Promise.all(
    ['sslCa', 'sslCert', 'sslKey'].map(async (name) => {
      await writeFile(path.join(folder, name), `text of ${name}`);
      return `${name}=${encodeURIComponent(path.join(folder, name))}`;
    }),
  );
  assert.deepEqual(readDatabaseUrl(`mysql://u@db/x?${query.join('&')}`).options.ssl, {
    ca: 'text of sslCa',
    cert: 'text of sslCert',
    key: 'text of sslKey',
    rejectUnauthorized: true,
    verifyIdentity: false,
  });
});

test('a password given apart wins, and none is ever shown', () => {
  const address = readDatabaseUrl('mysql://u:in%20url@a:1,b,[::1]:3/x', 'from file');
  assert.equal(address.options.password, 'from file');
  assert.doesNotMatch(address.shown, /in|file/);
  assert.deepEqual(address.hosts, [
    { host: 'a', port: 1 },
    { host: 'b', port: 3306 },
    { host: '::1', port: 3 },
  ]);
});
