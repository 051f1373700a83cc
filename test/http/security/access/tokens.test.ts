import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { httpDefaults } from '../../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../../src/http/server/openListener.ts';
import { makeTokenText } from '../../../../src/store/tokens/tokenText.ts';
import { fileScope } from '../../../support/testEngine.ts';
import { until } from '../../../support/until.ts';
import { askRaw, freshAddress } from '../../world/askRaw.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';
import { dumpRows } from './dumpRows.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const admin = (await world.token('admin')).secret;
const root = path.resolve(import.meta.dirname, '../../../..');
/** What of `statecron_ID_SECRET` nobody but its holder knows. */
const secretOf = (text: string): string => text.slice('statecron_'.length + 12 + 1);
const jobs = { method: 'GET', path: '/api/v1/jobs' } as const;

test('XXL-JOB #3328, SSVID-99779: an empty, a usual, or half a token lets nobody in', async () => {
  const usual = ['', ' ', 'default_token', 'changeme', 'admin', 'null', 'undefined', '[]', '{}'];
  const half = [
    admin.slice(0, -1),
    `${admin}x`,
    admin.toUpperCase(),
    admin.slice(0, 22),
    'statecron_',
  ];
  for (const text of [...usual, ...half]) {
    for (const authorization of [`Bearer ${text}`, text, `Basic ${btoa(`admin:${text}`)}`]) {
      const headers = { authorization };
      const { status, json } = await askRaw(origin, { ...jobs, headers, from: freshAddress() });
      assert.equal(status, 401, `${JSON.stringify(authorization)}: ${JSON.stringify(json)}`);
    }
  }
});

test('XXL-JOB #3328: a token in other places than its header is none', async () => {
  for (const query of ['token', 'access_token', 'accessToken', 'api_key', 'authorization']) {
    const asked = { ...jobs, path: `${jobs.path}?${query}=${admin}` };
    assert.equal((await askRaw(origin, asked)).status, 401, query);
  }
  for (const name of ['xxl-job-access-token', 'x-api-key', 'x-auth-token', 'cookie']) {
    const headers = { [name]: name === 'cookie' ? `token=${admin}` : admin };
    assert.equal((await askRaw(origin, { ...jobs, headers })).status, 401, name);
  }
  // Two of them are none, whichever is first.
  for (const both of [['Bearer x', `Bearer ${admin}`], [`Bearer ${admin}, Bearer x`]]) {
    const asked = { ...jobs, headers: { authorization: both }, from: freshAddress() };
    assert.notEqual((await askRaw(origin, asked)).status, 200, both.join(' | '));
  }
});

test('XXL-JOB SSVID-99779: nobody chooses a token, and no two are alike', async () => {
  const body = JSON.stringify({ name: 'chosen', role: 'admin', secret: 'default_token' });
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', path: '/api/v1/tokens', token: admin, headers, body };
  const { status, json } = await askRaw(origin, asked);
  assert.equal(status, 422);
  assert.deepEqual(json.errors, [{ field: 'secret', message: 'There is no such field' }]);
  const texts = Array.from({ length: 200 }, () => makeTokenText().text);
  assert.equal(new Set(texts).size, texts.length);
  // 43 characters of 64 have 258 bits.
  for (const text of texts) assert.match(text, /^statecron_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
});

test('Rundeck CVE-2021-41111: no answer tells a token, but the one that made it', async () => {
  const body = JSON.stringify({ name: 'shown once', role: 'viewer' });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'the-same' };
  const make = { method: 'POST', path: '/api/v1/tokens', token: admin, headers, body };
  const { json } = await askRaw(origin, make);
  const secret = secretOf(json.secret as string);
  assert.equal((await askRaw(origin, make)).json.secret, null, 'a repeat is told it again');
  for (const route of world.routes) {
    if (route.method !== 'GET' || route.path.includes('{')) continue;
    const { text } = await askRaw(origin, { method: 'GET', path: route.path, token: admin });
    assert.ok(!text.includes(secret), route.path);
    assert.ok(!/"(token_?hash|loginHash)"/i.test(text), route.path);
  }
});

test('Rundeck CVE-2022-31044: the rows of the database have no token and no cookie', async () => {
  const made = await askRaw(origin, {
    ...{ method: 'POST', path: '/api/v1/tokens', token: admin },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'made-here' },
    body: JSON.stringify({ name: 'made here', role: 'admin' }),
  });
  const secret = made.json.secret as string;
  assert.match(secret, /^statecron_/);
  const login = await askRaw(origin, {
    ...{ method: 'POST', path: '/api/v1/login', body: JSON.stringify({ token: secret }) },
    headers: { 'content-type': 'application/json', origin, host: new URL(origin).host },
  });
  assert.equal(login.status, 200, login.text);
  const cookie = /^statecron=([^;]+)/.exec(login.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
  assert.equal(cookie.length, 43);
  const headers = { cookie: `statecron=${cookie}` };
  assert.equal((await askRaw(origin, { ...jobs, headers })).status, 200);
  const rows = await dumpRows(world);
  // The same dump has what it must have, so that it would have the rest, too.
  assert.ok(rows.includes(secret.split('_')[1] as string));
  for (const hidden of [secret, secretOf(secret), cookie]) {
    for (const encoding of ['utf8', 'hex', 'base64'] as const) {
      const text = Buffer.from(hidden).toString(encoding);
      assert.ok(!rows.includes(text), `${encoding} of a secret`);
    }
  }
});

test('Rundeck CVE-2022-29186: the sources and the package have no key and no token', () => {
  const files = ['src', 'statecharts'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  files.push(path.join(root, 'README.md'), path.join(root, 'package.json'));
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.filter((file) => {
    const text = readFileSync(file, 'latin1');
    return /-----BEGIN [A-Z ]*PRIVATE KEY-----|statecron_[0-9a-f]{12}_[\w-]{43}/.test(text);
  });
  assert.deepEqual(found, []);
});

test('dkron #176, #302, #1196: a node listens on loopback, on more only with a token', async () => {
  assert.equal(httpDefaults.host, '127.0.0.1');
  for (const host of ['0.0.0.0', '::']) {
    const open = openListener({ ...httpDefaults, port: 0, host }, async () => false);
    await assert.rejects(open, { code: 'http_without_token', exitCode: 75 });
  }
});

const openAtFirst = 'cronsun admin@admin.com, crontab-ui #179, dagu GHSA-6qr9-g2xw-cw92';

test(`${openAtFirst}: a new database lets nobody in`, async (t) => {
  const fresh = await makeWholeApi(t);
  const [row] = await fresh.rows('SELECT COUNT(*) AS tokens FROM api_token');
  assert.equal(Number(row?.tokens), 0);
  for (const route of fresh.routes) {
    if (route.role === 'anyone') continue;
    const target = route.path.replaceAll(/\{\w+\}/g, '1');
    const asked = { method: route.method, path: target };
    assert.equal((await askRaw(fresh.origin, asked)).status, 401, target);
  }
  const login = { token: '', user: 'admin@admin.com', password: 'admin' };
  const headers = { 'content-type': 'application/json', origin: fresh.origin };
  const body = JSON.stringify(login);
  const asked = { method: 'POST', path: '/api/v1/login', headers, body };
  assert.equal((await askRaw(fresh.origin, asked)).status, 422);
});

test('a flood of tokens that are no good is told to wait, and locks nobody else out', async () => {
  const from = freshAddress();
  const good = { ...jobs, token: admin };
  assert.equal((await askRaw(origin, { ...good, from })).status, 200);
  const statuses: number[] = [];
  for (let tries = 0; tries < 30; tries += 1) {
    const { text } = makeTokenText();
    const answer = await askRaw(origin, { ...jobs, token: text, from });
    statuses.push(answer.status);
    if (answer.status === 429) assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
  }
  assert.equal(statuses[0], 401);
  assert.ok(statuses.filter((status) => status === 429).length >= 10, statuses.join(' '));
  assert.equal((await askRaw(origin, { ...good, from })).status, 200);
});

test('the list of tokens says when each of them let a request in last', async () => {
  const used = await world.token('viewer');
  const idle = await world.token('viewer');
  const listed = async (name: string) => {
    const { json } = await askRaw(origin, { method: 'GET', path: '/api/v1/tokens', token: admin });
    const { items } = json as { items: { name: string; madeAt: string; lastUsedAt: string }[] };
    const found = items.find((token) => token.name === name);
    assert.ok(found);
    return found;
  };
  assert.equal((await askRaw(origin, { ...jobs, token: used.secret })).status, 200);
  const { lastUsedAt, madeAt } = await until('the use is written down', async () => {
    const token = await listed(used.name);
    return token.lastUsedAt !== null && token;
  });
  assert.ok(lastUsedAt >= madeAt, lastUsedAt);
  assert.equal((await listed(idle.name)).lastUsedAt, null);
});
