import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { get as plainGet } from 'node:http';
import https from 'node:https';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { serveApi } from '../../../src/http/serveApi.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { makeCertificates } from '../../support/makeCertificates.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';

test('a node serves HTTPS: browsers log in, and a new certificate is taken up', async (t) => {
  const files = makeCertificates(t, 'a', 'b');
  if (files === null) return t.skip('there is no openssl to make a certificate with');
  const world = await makeStoreWorld(t, 'mariadb');
  const wishes = { name: 'ann', role: 'viewer', groups: null, expiresMs: null } as const;
  const { secret: token } = await addToken(world.channel, wishes);
  const settings = { ...httpDefaults, port: 0, tls: files.a };
  const listener = await openListener(settings, async () => true);
  const api = serveApi({
    ...{ database: readDatabaseUrl(world.url), settings, listener },
    trouble: (what, error) => assert.fail(`${what}: ${error}`),
    addRoutes: () => undefined,
  });
  t.after(() => api.close());
  assert.match(listener.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const url = listener.url.replace('127.0.0.1', 'localhost');
  const ca = readFileSync(files.a.certFile);
  const login = (origin: string) =>
    send(`${url}/api/v1/login`, ca, { origin, body: JSON.stringify({ token }) });
  assert.equal((await login(url.replace('https', 'http'))).status, 403);
  const { status, cookie, servedBy } = await login(url);
  assert.equal(status, 200);
  assert.match(cookie, /^__Host-statecron=.*; HttpOnly; Secure; SameSite=Strict$/);
  assert.equal((await send(`${url}/api/v1/caller`, ca, { cookie })).status, 200);
  await assert.rejects(fetchPlain(url.replace('https', 'http')), /socket hang up|ECONNRESET/);

  // A renewed certificate, as programs for Let's Encrypt put it in its place.
  copyFileSync(files.b.certFile, files.a.certFile);
  assert.throws(() => listener.renew(), { code: 'http_certificate', message: /do not fit/ });
  assert.equal((await send(`${url}/api/v1/caller`, ca, { cookie })).status, 200);
  copyFileSync(files.b.keyFile, files.a.keyFile);
  listener.renew();
  const renewed = await send(`${url}/api/v1/caller`, readFileSync(files.b.certFile), { cookie });
  assert.equal(renewed.status, 200);
  assert.notEqual(renewed.servedBy, servedBy);
});

test('a certificate that cannot be used is refused at once, and says why', async (t) => {
  const files = makeCertificates(t, 'a', 'b');
  if (files === null) return t.skip('there is no openssl to make a certificate with');
  const { certFile, keyFile } = files.a;
  const refused = async (tls: typeof files.a, why: RegExp) => {
    const settings = { ...httpDefaults, port: 0, tls };
    const opening = openListener(settings, async () => true);
    await assert.rejects(opening, { code: 'http_certificate', exitCode: 78, message: why });
  };
  await refused({ certFile: '/no/such', keyFile }, /certificate cannot be read: ENOENT/);
  await refused({ certFile, keyFile: '/no/such' }, /key cannot be read: ENOENT/);
  await refused({ certFile, keyFile: files.b.keyFile }, /do not fit/);
  chmodSync(keyFile, 0o644);
  await refused({ certFile, keyFile }, /everybody may use the key/);
});

interface Sent {
  readonly status: number;
  readonly cookie: string;
  /** The fingerprint of the certificate that it came by. */
  readonly servedBy: string;
}

/** A POST when it has a body. */
function send(
  url: string,
  ca: Buffer,
  { origin, cookie, body }: { origin?: string; cookie?: string; body?: string },
): Promise<Sent> {
  const headers = {
    ...(origin === undefined ? {} : { origin }),
    ...(cookie === undefined ? {} : { cookie: cookie.replace(/;.*/, '') }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const request = https.request(url, { ca, headers, method, agent: false }, (response) => {
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
      const cookies = response.headers['set-cookie'] ?? [];
      response.resume().on('end', () => {
        const status = response.statusCode ?? 0;
        resolve({ status, cookie: cookies[0] ?? '', servedBy: fingerprint256 });
      });
    });
    request.on('error', reject).end(body);
  });
}

function fetchPlain(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    plainGet(url, resolve).on('error', reject);
  });
}
