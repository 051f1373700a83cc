import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw, freshAddress, type HeardAnswer } from '../../world/askRaw.ts';
import { requestText, sendRaw } from '../../world/rawRequest.ts';
import { makeRouteWorld } from '../../world/routeWorld.ts';
import { tableChecksums } from '../../world/tableChecksums.ts';

const world = await makeRouteWorld(fileScope);
const { origin } = world;
const host = new URL(origin).host;
const own = { origin, host };
const json = { 'content-type': 'application/json' };
const cookie = await logIn();

async function logIn(): Promise<string> {
  const body = JSON.stringify({ token: world.tokenOf('admin') });
  const headers = { ...json, ...own };
  const answer = await askRaw(origin, { method: 'POST', path: '/api/v1/login', headers, body });
  assert.equal(answer.status, 200, answer.text);
  const [text = ''] = answer.headers['set-cookie'] ?? [];
  for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/'])
    assert.ok(text.includes(word), text);
  return text.split(';')[0] as string;
}

/** As a browser that is logged in would send it. */
function withCookie(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HeardAnswer> {
  return askRaw(origin, { method, path, headers: { host, ...headers, cookie }, body });
}

const xxl = 'XXL-JOB CVE-2020-24922, GHSA-pv4m-h859-jwmq, Rundeck CVE-2021-39133';
describe(`${xxl}: with the cookie of a login`, () => {
  const foreign = {
    'of another site': { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    'of the same site, another port': {
      origin: 'http://127.0.0.1:1',
      'sec-fetch-site': 'same-site',
    },
    'of a subdomain': { origin: `http://x.${host}`, 'sec-fetch-site': 'same-site' },
    'of https in front of http': { origin: `https://${host}` },
    'of a sandbox or a file': { origin: 'null' },
    'that is not told': {},
    'that is told by an old browser alone': { referer: `${origin}/x` },
    'with a lie in one header': { origin, 'sec-fetch-site': 'cross-site' },
    'that was typed in': { origin, 'sec-fetch-site': 'none' },
  } as const;
  for (const [page, headers] of Object.entries(foreign)) {
    test(`a page ${page} changes nothing`, async () => {
      const before = await tableChecksums(world);
      for (const route of world.routes) {
        if (route.method === 'GET' || route.path === '/api/v1/login') continue;
        const { method, path, body, headers: needed = {} } = world.sample(route);
        const all = { ...(needed as Record<string, string>), ...headers };
        const answer = await withCookie(method, path, all, body as string | undefined);
        const told = `${method} ${path}: ${answer.status} ${answer.text}`;
        assert.equal(answer.status, 403, told);
        assert.equal(answer.json.code, 'origin_forbidden', told);
      }
      assert.deepEqual(await tableChecksums(world), before);
    });
  }

  test('a form of any kind changes nothing, not even from our own page', async () => {
    const before = await tableChecksums(world);
    const words = { name: 'form', cron: '@daily', command: 'true' };
    for (const type of [
      ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      ...['text/plain; application/json', 'application/jsonx', 'text/json', ''],
    ]) {
      const headers = { ...own, ...(type === '' ? {} : { 'content-type': type }) };
      const body = JSON.stringify(words);
      const answer = await withCookie('POST', '/api/v1/jobs', headers, body);
      assert.ok(
        [415, 422, 400].includes(answer.status),
        `${type}: ${answer.status} ${answer.text}`,
      );
    }
    assert.deepEqual(await tableChecksums(world), before);
  });

  test('our own page changes what its login may', async () => {
    const { job } = await world.makeThings();
    const headers = { ...own, 'sec-fetch-site': 'same-origin' };
    const answer = await withCookie('POST', `/api/v1/jobs/${job}/pause`, headers);
    assert.equal(answer.status, 200, answer.text);
  });

  test('another site logs nobody in, nor out', async () => {
    const before = await tableChecksums(world);
    const body = JSON.stringify({ token: world.tokenOf('viewer') });
    for (const headers of [{ ...json, origin: 'https://evil.test' }, json]) {
      const request = { method: 'POST', path: '/api/v1/login', headers, body };
      const answer = await askRaw(origin, request);
      assert.equal(answer.status, 403, answer.text);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    const out = await withCookie('POST', '/api/v1/logout', { origin: 'https://evil.test' });
    assert.equal(out.status, 403);
    assert.deepEqual(await tableChecksums(world), before);
  });
});

test('DNS rebinding: a request for another name is 421, whatever it is for', async () => {
  const names = [
    'evil.test',
    'evil.test:7700',
    `${host}.evil.test`,
    'localhost.evil.test',
    '[::2]',
  ];
  names.push('127.0.0.1@evil.test', '0', '169.254.169.254', 'xn--localhost-x');
  for (const { method, path } of world.routes) {
    const target = path.replaceAll(/\{\w+\}/g, '1');
    const name = names[target.length % names.length] as string;
    const { status, text } = await sendRaw(
      origin,
      requestText(`${method} ${target}`, [`Host: ${name}`]),
    );
    // A name that no URL can have is no request at all.
    assert.ok(status === 421 || status === 400, `${method} ${target} of ${name}: ${text}`);
  }
  for (const name of names) {
    const headers = [`Host: ${name}`, `Authorization: Bearer ${world.tokenOf('admin')}`];
    const { status } = await sendRaw(origin, requestText('GET /api/v1/jobs', headers));
    assert.ok(status === 421 || status === 400, name);
  }
});

test('DNS rebinding: the absolute form, two names and none are refused as well', async () => {
  const token = `Authorization: Bearer ${world.tokenOf('admin')}`;
  const get = async (target: string, headers: string[]) =>
    (await sendRaw(origin, requestText(`GET ${target}`, [...headers, token]))).status;
  assert.equal(await get('http://evil.test/api/v1/jobs', ['Host: localhost']), 421);
  assert.equal(await get('http://localhost/api/v1/jobs', ['Host: evil.test']), 421);
  assert.ok([400, 421].includes(await get('/livez', ['Host: localhost', 'Host: evil.test'])));
  assert.ok([400, 421].includes(await get('/livez', ['Host: evil.test', 'Host: localhost'])));
  assert.ok([400, 421].includes(await get('/livez', ['Host:'])));
  assert.equal(await get('/livez', []), 400);
  assert.equal(await get('http://localhost/api/v1/jobs', ['Host: localhost']), 200);
});

test('no Origin is ever reflected: there is no CORS header unless one was named', async () => {
  for (const from of ['https://evil.test', 'null', origin, 'http://localhost']) {
    for (const method of ['GET', 'OPTIONS', 'HEAD']) {
      const headers = { origin: from, 'access-control-request-method': 'DELETE' };
      const asked = { method, path: '/api/v1/jobs', headers, token: world.tokenOf('viewer') };
      const answer = await askRaw(origin, { ...asked, from: freshAddress() });
      const names = Object.keys(answer.headers);
      assert.deepEqual(
        names.filter((name) => name.startsWith('access-control')),
        [],
        from,
      );
    }
  }
});
