import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { type Api, needs } from '../../../src/http/authentication/api.ts';
import { createApi } from '../../../src/http/guard/createApi.ts';
import type { GuardParts } from '../../../src/http/guard/guardParts.ts';
import { HostNames } from '../../../src/http/guard/secureAnswer.ts';
import { addApiRoutes } from '../../../src/http/routes/addApiRoutes.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { type HttpSettings, httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { requestText, sendRaw } from '../world/rawRequest.ts';

// What is refused here is refused without a look into the database: there is none.
const nowhere = readDatabaseUrl('mysql://nobody@127.0.0.1:1/none');
const origin = await serve({ corsOrigins: ['https://board.example'] });

async function serve(more: Partial<HttpSettings> = {}): Promise<string> {
  const settings = { ...httpDefaults, port: 0, ...more };
  const listener = await openListener(settings, async () => false);
  assert.ok(listener);
  const served = serveApi({
    ...{ database: nowhere, settings, listener },
    trouble: (what, error) => assert.fail(`${what}: ${error}`),
    addRoutes: (api) => addApiRoutes(api, '1.2.3'),
  });
  after(() => served.close());
  return listener.url;
}

test('without a token every path is 401, whatever its spelling and method', async () => {
  const paths = ['/api/v1/jobs', '/api/v1/nothing', '//', '//api/v1/jobs', '/api/v1/jobs/'];
  paths.push('/api/v1/../v1/jobs', '/API/V1/JOBS', '/api/v1/jobs%2f', '/api/v1/jobs;a=b');
  paths.push('/api/v1/jobs/%2e%2e/jobs', '/livez/../api/v1/jobs', '/api/v1/login');
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'NONE']) {
      const { status } = await sendRaw(origin, requestText(`${method} ${path}`));
      // A method that is none is refused by the parser.
      assert.equal(status, method === 'NONE' ? 400 : 401, `${method} ${path}`);
    }
  }
});

test('a header that renames the method changes nothing', async () => {
  const headers = ['Host: localhost', 'X-HTTP-Method-Override: DELETE', 'Content-Length: 0'];
  const { status } = await sendRaw(origin, requestText('POST /api/v1/jobs/a', headers));
  assert.equal(status, 401);
});

test('a token that is none is 401 without a look into the database', async () => {
  const texts = ['', 'default_token', 'changeme', 'null', `statecron_${'0'.repeat(12)}_short`];
  for (const text of texts) {
    const { status } = await askWith(`Bearer ${text}`);
    assert.equal(status, 401, text);
  }
  assert.equal((await askWith('Basic YWRtaW46YWRtaW4=')).status, 401);
});

async function askWith(authorization: string): Promise<Response> {
  const answer = await fetch(`${origin}/api/v1/jobs`, { headers: { authorization } });
  await answer.arrayBuffer();
  return answer;
}

test('a name that is not the node’s is 421, in the header and in the target', async () => {
  const wrong = ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test:80', 'evil.test:7700'];
  // No URL has such a name, though a header may.
  wrong.push('xn--localhost-x', '[::1', 'a b', '%zz', '127.0.0.1:99999');
  for (const host of wrong) {
    const { status } = await sendRaw(origin, requestText('GET /livez', [`Host: ${host}`]));
    assert.ok(status === 421 || status === 400, `${host}: ${status}`);
  }
  const target = await sendRaw(origin, requestText('GET http://evil.test/api/v1/jobs'));
  assert.equal(target.status, 421, 'the absolute form');
  const both = await sendRaw(origin, requestText('GET http://localhost/', ['Host: evil.test']));
  assert.equal(both.status, 421, 'a good target and a bad header');
  const none = await sendRaw(origin, 'GET / HTTP/1.0\r\n\r\n');
  assert.equal(none.status, 400, 'no name at all');
});

test('the names that a node goes by are its own and those that it was told', () => {
  const names = new HostNames({
    ...{ host: '10.0.0.5', names: ['cron.lan'] },
    origins: ['https://cron.example.com:8443'],
  });
  const good = ['localhost:7700', 'LOCALHOST', '127.0.0.1', '[::1]:7700', '10.0.0.5', 'cron.lan.'];
  good.push('cron.example.com:8443', '192.168.7.7:7700');
  for (const host of good) assert.ok(names.has(host, '192.168.7.7'), host);
  const bad = ['', 'evil.test', 'user@localhost', 'localhost/evil', '192.168.7.8', 'localhost:a'];
  for (const host of bad) assert.ok(!names.has(host, '192.168.7.7'), host);
});

test('every answer has the headers that keep it out of other pages', async () => {
  const answer = await fetch(`${origin}/api/v1/jobs`);
  await answer.arrayBuffer();
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.match(answer.headers.get('x-request-id') ?? '', /^r[0-9a-f]{16}$/);
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('x-powered-by') ?? answer.headers.get('server'), null);
});

test('an Origin is answered only when it was named, and never with credentials', async () => {
  const ask = (from: string, method = 'GET') =>
    fetch(`${origin}/api/v1/jobs`, {
      method,
      headers: { origin: from, 'access-control-request-method': 'GET' },
    });
  const other = await ask('https://evil.test');
  assert.equal(other.headers.get('access-control-allow-origin'), null);
  assert.equal((await ask('https://evil.test', 'OPTIONS')).status, 401);
  const named = await ask('https://board.example', 'OPTIONS');
  assert.equal(named.status, 204);
  assert.equal(named.headers.get('access-control-allow-origin'), 'https://board.example');
  assert.equal(named.headers.get('access-control-allow-credentials'), null);
  assert.equal((await ask('https://board.example')).status, 401, 'the token is asked for even so');
});

test('an address that others reach is not listened on before there is a token', async () => {
  const open = (host: string, hasToken: boolean) =>
    openListener({ ...httpDefaults, port: 0, host }, async () => hasToken);
  for (const host of ['0.0.0.0', '::']) {
    await assert.rejects(open(host, false), { code: 'http_without_token', exitCode: 75 });
  }
  const listener = await open('0.0.0.0', true);
  await listener?.close();
});

test('a port that was asked for and is taken is told; one that was not, is passed by', async () => {
  const first = await openListener({ ...httpDefaults, port: 0 }, async () => false);
  assert.ok(first);
  const port = Number(new URL(first.url).port);
  const wanted = { ...httpDefaults, port, isPortWanted: true };
  await assert.rejects(
    openListener(wanted, async () => false),
    { code: 'http_address', exitCode: 75 },
  );
  const nowhere = openListener({ ...wanted, host: 'no.such.host.invalid' }, async () => true);
  await assert.rejects(nowhere, { code: 'http_address' });
  const next = await openListener({ ...wanted, isPortWanted: false }, async () => false);
  assert.notEqual(next?.url, first.url);
  await next?.close();
  await first.close();
});

const parts = { settings: httpDefaults } as GuardParts;
const plain = { path: '/thing', responses: { 200: { description: 'It is so.' } } } as const;

test('a route that does not say whom it is for is not served, nor is anything else', () => {
  const open = createRoute({ method: 'get', ...plain });
  const add = (addRoutes: (api: Api) => void) => () => createApi(parts, addRoutes);
  assert.throws(
    add((api) => api.openapi(open, (c) => c.body(null, 200))),
    /whom it is for/,
  );
  const change = createRoute({ method: 'post', ...plain, ...needs('anyone') });
  assert.throws(
    add((api) => api.openapi(change, (c) => c.body(null, 200))),
    /for anyone/,
  );
  assert.throws(
    add((api) => api.get('/thing', (c) => c.body(null, 200))),
    /no guard/,
  );
  const other = new OpenAPIHono().get('/thing', (c) => c.body(null, 200));
  assert.throws(
    add((api) => api.route('/other', other)),
    /no guard/,
  );
});
