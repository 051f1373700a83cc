import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTokenText } from '../../../src/store/tokens/tokenText.ts';
import { within } from '../../support/until.ts';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';
import { openSocket, readToEnd, requestText, sendRaw } from '../world/rawRequest.ts';

const job = { name: 'job', cron: '0 * * * *', command: 'echo hello' };

test('a token does what its role may, and a bad one is told nothing of why', async (t) => {
  const world = await makeApiWorld(t);
  const [viewer, operator] = [await world.token('viewer'), await world.token('operator')];
  const codeOf = async (token: string, method: string, path: string, body?: unknown) => {
    const { status, json } = await world.ask(method, path, { token, body });
    return [status, json?.code ?? null];
  };
  assert.deepEqual(await codeOf(viewer, 'GET', '/api/v1/jobs'), [200, null]);
  const refused = [403, 'role_forbidden'];
  assert.deepEqual(await codeOf(viewer, 'POST', '/api/v1/jobs', job), refused);
  assert.deepEqual(await codeOf(operator, 'GET', '/api/v1/tokens'), refused);
  const { json } = await world.ask('GET', '/api/v1/tokens', { token: operator });
  assert.equal(json.hint, 'Ask an administrator for a token with the role admin.');
  assert.equal((await codeOf(operator, 'POST', '/api/v1/jobs', job))[0], 201);
  assert.deepEqual(await codeOf(viewer, 'DELETE', '/api/v1/jobs/job'), refused);
  assert.deepEqual(await codeOf(viewer, 'GET', '/api/v1/none'), [404, 'path_missing']);
  const put = await world.ask('PUT', '/api/v1/tokens');
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, POST, HEAD']);
  await world.ask('DELETE', '/api/v1/tokens/viewer-2');
  await world.rows("UPDATE api_token SET expires_at = NOW(3) WHERE token_name = 'operator-3'");
  const bad = [viewer, operator, makeTokenText().text, `${viewer.slice(0, -1)}~`, '', '[]'];
  const details = new Set<string>();
  for (const token of bad) {
    const { json: said, status } = await world.ask('GET', '/api/v1/jobs', { token });
    assert.deepEqual([status, said.code], [401, 'unauthenticated'], token);
    details.add(said.detail);
  }
  assert.equal(details.size, 1, 'revoked, expired, unknown: all the same');
  assert.deepEqual(world.troubles, []);
});

test('a good token is let in however many bad ones came from its address', async (t) => {
  const world = await makeApiWorld(t);
  const unused = await world.token('viewer');
  const forged = `${unused.slice(0, -1)}${unused.endsWith('A') ? 'B' : 'A'}`;
  const statuses: number[] = [];
  // One more may be tried every six seconds.
  for (let tries = 0; tries < 100 && !(tries >= 14 && statuses.includes(429)); tries += 1) {
    const token = tries % 2 === 0 ? makeTokenText().text : forged;
    const { headers, json, status } = await world.ask('GET', '/api/v1/caller', { token });
    statuses.push(status);
    if (status !== 429) continue;
    assert.match(headers.get('retry-after') ?? '', /^[1-6]$/);
    assert.equal(json.code, 'too_many_failures');
  }
  assert.ok(statuses.slice(0, 10).every((status) => status === 401));
  assert.ok(statuses.includes(429), 'who tries is told to wait');
  assert.equal((await world.ask('GET', '/api/v1/caller', { token: unused })).status, 200);
  const headers = { origin: world.origin };
  const login = await world.ask('POST', '/api/v1/login', { body: { token: unused }, headers });
  assert.equal(login.status, 200, login.text);
});

test('a browser logs in by a token, and its cookie is for its own page alone', async (t) => {
  const world = await makeApiWorld(t);
  const origin = world.origin;
  const token = await world.token('operator');
  const login = (headers: Record<string, string>) =>
    world.ask('POST', '/api/v1/login', { token: '', body: { token }, headers });
  assert.equal((await login({})).status, 403, 'no Origin');
  assert.equal((await login({ origin: 'https://evil.test' })).status, 403);
  const { headers, status } = await login({ origin });
  assert.equal(status, 200);
  const set = headers.get('set-cookie') ?? '';
  assert.match(set, /HttpOnly/);
  assert.match(set, /SameSite=Strict/);
  const cookie = set.split(';', 1)[0] ?? '';
  const ask = askByCookie(world, cookie);
  assert.equal((await ask('GET', '/api/v1/caller', {})).json.role, 'operator');
  const same = { origin, 'sec-fetch-site': 'same-origin' };
  assert.equal((await ask('POST', '/api/v1/jobs', same, job)).status, 201);
  const forged: Record<string, string>[] = [
    {},
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { ...same, 'sec-fetch-site': 'cross-site' },
    { ...same, 'sec-fetch-site': 'same-site' },
    { origin: origin.replace(/\d+$/, '1') },
  ];
  for (const each of forged) {
    const answer = await ask('POST', '/api/v1/jobs/job/pause', each);
    assert.deepEqual([answer.status, answer.json.code], [403, 'origin_forbidden'], answer.text);
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await ask('POST', '/api/v1/jobs', { ...same, 'content-type': type }, job);
    assert.equal(answer.status, 415, type);
    // Of what has no body only we look at what one sends.
    const resumed = await ask(
      'POST',
      '/api/v1/jobs/job/resume',
      { ...same, 'content-type': type },
      {},
    );
    assert.equal(resumed.status, 415, type);
  }
  assert.equal((await world.rows('SELECT paused FROM job'))[0]?.paused, 0);
  assert.equal((await ask('POST', '/api/v1/logout', same)).status, 204);
  assert.equal((await ask('GET', '/api/v1/caller', {})).status, 401);
  const log = await world.rows('SELECT action, actor FROM audit_log ORDER BY audit_id');
  const actions = log.map(({ action }) => action);
  assert.deepEqual(actions, ['login.add', 'job.add', 'login.end']);
});

function askByCookie(world: ApiWorld, cookie: string) {
  return async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${world.origin}${path}`, {
      method,
      headers: { ...json, cookie, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === '' ? null : JSON.parse(text) };
  };
}

test('a body is bounded as it comes in, taken as it is, and read for its keys', async (t) => {
  const world = await makeApiWorld(t);
  const post = (text: string, headers: Record<string, string> = {}) =>
    world.ask('POST', '/api/v1/jobs', { text, headers });
  const long = JSON.stringify({ ...job, command: 'x'.repeat(256 * 1024) });
  assert.equal((await post(long)).status, 413);
  assert.equal((await post('{}', { 'content-encoding': 'gzip' })).status, 415);
  for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    const answer = await post(`{"name":"a","env":{"a":{"${key}":{"x":1}}}}`);
    assert.deepEqual([answer.status, answer.json.code], [400, 'malformed'], key);
  }
  assert.equal(({} as { x?: unknown }).x, undefined);
  const deep = `${'['.repeat(100_000)}"constructor"${']'.repeat(100_000)}`;
  for (const text of [deep, '{', '', '\0', '{"name":"a"} {}']) {
    const { status } = await post(text);
    assert.ok(status === 400 || status === 422, `${text.slice(0, 20)}: ${status}`);
  }
  const unknown = await post(JSON.stringify({ ...job, uid: 0 }));
  assert.equal(unknown.status, 422);
  assert.equal(unknown.json.errors[0].field, 'uid');
  assert.deepEqual(await world.rows('SELECT name FROM job'), []);
  assert.deepEqual(world.troubles, []);
});

test('ten megabytes in pieces without a length are cut off, not kept', async (t) => {
  const world = await makeApiWorld(t);
  const socket = await openSocket(world.origin);
  const token = await world.token('operator');
  const answered = readToEnd(socket, chunkedHead(token));
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 160 && !socket.destroyed; sent += 1) {
    if (!socket.write(piece)) await Promise.race([answered, drained(socket)]);
  }
  assert.equal((await answered).status, 413);
});

test('a body that trickles is cut off when its time is over', async (t) => {
  const world = await makeApiWorld(t);
  const token = await world.token('operator');
  const [socket, half] = [await openSocket(world.origin), await openSocket(world.origin)];
  const answered = readToEnd(socket, chunkedHead(token));
  const trickle = setInterval(() => socket.write('1\r\n \r\n'), 500);
  t.after(() => clearInterval(trickle));
  const silent = readToEnd(half, 'GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow:');
  const both = Promise.all([answered, silent]);
  const [{ status, tookMs }, head] = await within('the answers', both, 60_000);
  assert.equal(status, 408);
  assert.ok(tookMs >= 11_900, `after ${tookMs} ms`);
  assert.equal(head.status, 408);
  assert.deepEqual(world.troubles, []);
});

function chunkedHead(token: string): string {
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  headers.push('Host: localhost', 'Transfer-Encoding: chunked');
  return `POST /api/v1/jobs HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

function drained(socket: Awaited<ReturnType<typeof openSocket>>): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}

test('a GET with a body, and a request with two lengths, are refused', async (t) => {
  const world = await makeApiWorld(t);
  const token = await world.token('viewer');
  const auth = `Authorization: Bearer ${token}`;
  const withBody = ['Host: localhost', auth, 'Content-Length: 2'];
  const get = await sendRaw(world.origin, requestText('GET /api/v1/jobs', withBody, '{}'));
  assert.equal(get.status, 400);
  const two = ['Host: localhost', auth, 'Content-Length: 2', 'Transfer-Encoding: chunked'];
  const smuggled = await sendRaw(world.origin, requestText('POST /api/v1/jobs', two, '0\r\n\r\n'));
  assert.equal(smuggled.status, 400);
});
