import assert from 'node:assert/strict';
import http from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { httpDefaults } from '../../../../src/http/server/httpSettings.ts';
import { fileScope } from '../../../support/testEngine.ts';
import { until } from '../../../support/until.ts';
import { askRaw, freshAddress } from '../../world/askRaw.ts';
import { openSocket } from '../../world/rawRequest.ts';
import { makeWholeApi, type WholeApi } from '../../world/wholeApi.ts';

/** The status of a request on a connection of its own; 0: nobody answered. */
async function statusOf(world: WholeApi, request: Partial<Parameters<typeof askRaw>[1]> = {}) {
  const asked = { method: 'GET', path: '/api/v1/jobs', ...request };
  const failed = () => ({ status: 0, headers: {} as http.IncomingHttpHeaders, json: {} });
  const { headers, json, status } = await askRaw(world.origin, asked).catch(failed);
  return { headers, status, json: json ?? {} };
}

/** An answer that goes on until the test ends. */
async function openStream(world: WholeApi, token: string, from?: string): Promise<number> {
  const asked = http.get(`${world.origin}/api/v1/events`, {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
    ...(from === undefined ? {} : { localAddress: from }),
  });
  fileScope.after(async () => void asked.destroy());
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve(response.statusCode ?? 0);
    });
  });
}

test('connections that say nothing make room for who asks, from their address too', async () => {
  const world = await makeWholeApi(fileScope, { connectionsMax: 20 });
  const silent: Socket[] = [];
  for (let count = 0; count < 30; count += 1) silent.push(await openSocket(world.origin));
  for (const socket of silent)
    if (!socket.destroyed) socket.write('GET /livez HTTP/1.1\r\nX-Slow:');
  for (const from of [freshAddress(), '127.0.0.1', freshAddress()]) {
    assert.equal((await statusOf(world, { from })).status, 401, from);
  }
  await until('the oldest are ended', () => silent.filter(({ closed }) => closed).length >= 10);
  assert.ok(
    silent.some((socket) => !socket.closed),
    'not all of them',
  );
});

test('one address holds no more than its share, and is told when to come back', async () => {
  const bounds = { connectionsMax: 20, connectionsPerAddressMax: 4 };
  const world = await makeWholeApi(fileScope, bounds);
  const { secret: token } = await world.token('viewer');
  const [from, other] = [freshAddress(), freshAddress()];
  for (let count = 0; count < 4; count += 1) {
    assert.equal(await openStream(world, token, from), 200);
  }
  const { headers, json, status } = await statusOf(world, { token, from });
  assert.deepEqual([status, json.code], [429, 'too_many_requests']);
  assert.deepEqual([headers['retry-after'], headers.connection], ['5', 'close']);
  assert.equal((await statusOf(world, { token, from: other })).status, 200);
  assert.deepEqual(world.troubles, []);
});

test('one that waits makes room, though another address has more, all being answered', async () => {
  const world = await makeWholeApi(fileScope, { connectionsMax: 4 });
  const { secret: token } = await world.token('viewer');
  const streaming = freshAddress();
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await openStream(world, token, streaming), 200);
  }
  const silent = await openSocket(world.origin);
  const { json, status } = await statusOf(world, { token, from: freshAddress() });
  assert.equal(status, 200, JSON.stringify(json));
  await until('the silent one is ended', () => silent.closed);
});

test('when every connection is being answered, whoever comes is told to come back', async () => {
  const world = await makeWholeApi(fileScope, { connectionsMax: 3 });
  const { secret: token } = await world.token('viewer');
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await openStream(world, token, freshAddress()), 200);
  }
  const { headers, json, status } = await statusOf(world, { token });
  assert.deepEqual([status, json.code, headers['retry-after']], [503, 'busy', '5']);
});

test('a token logs no more browsers in than its rate, and the others log theirs in', async () => {
  const world = await makeWholeApi(fileScope, { loginsPerHour: 60 });
  const login = async ({ secret }: { secret: string }) => {
    const headers = { 'content-type': 'application/json', origin: world.origin };
    const body = JSON.stringify({ token: secret });
    return statusOf(world, { method: 'POST', path: '/api/v1/login', headers, body });
  };
  const [greedy, other] = [await world.token('viewer'), await world.token('viewer')];
  const beganMs = performance.now();
  let [logins, answer] = [0, await login(greedy)];
  // One more may be made each minute.
  for (; answer.status === 200 && logins < 200; logins += 1) answer = await login(greedy);
  const tookMinutes = (performance.now() - beganMs) / 60_000;
  assert.ok(logins >= 60 && logins <= 60 + tookMinutes, `${logins} in ${tookMinutes} min`);
  const { headers, json, status } = answer;
  assert.deepEqual([status, json.code], [429, 'too_many_requests']);
  assert.match(headers['retry-after'] ?? '', /^(60|[1-5]?\d)$/);
  assert.equal((await login(other)).status, 200);
  assert.equal((await statusOf(world, { token: greedy.secret })).status, 200, 'it is in force');
});

test('a token asks for no more changes than its rate, and looks go on', async () => {
  const world = await makeWholeApi(fileScope, { changesPerSecond: 1 });
  const { secret: token } = await world.token('operator');
  const change = () => statusOf(world, { method: 'POST', path: '/api/v1/jobs/none/pause', token });
  const answers: Awaited<ReturnType<typeof change>>[] = [];
  const refused = () => answers.filter(({ status }) => status === 429);
  const beganMs = performance.now();
  // One more may be made each second, so a machine that answers slowly refuses fewer of them.
  while (refused().length < 10 && answers.length < 400) answers.push(await change());
  const tookSeconds = (performance.now() - beganMs) / 1_000;
  const statuses = answers.map(({ status }) => status);
  const told = `${statuses.join(' ')} in ${tookSeconds} s`;
  assert.ok(statuses.slice(0, 20).every((status) => status === 404));
  assert.equal(refused().length, 10, told);
  assert.ok(refused().every(({ headers }) => headers['retry-after'] === '1'));
  assert.ok(statuses.filter((status) => status === 404).length <= 20 + tookSeconds, told);
  assert.equal((await statusOf(world, { token })).status, 200);
});

test('one token holds no more streams than its share, and others have theirs', async () => {
  const world = await makeWholeApi(fileScope);
  const [greedy, other] = [await world.token('viewer'), await world.token('viewer')];
  // What the setting says; 32 of 256.
  const most = httpDefaults.streamsPerTokenMax ?? 32;
  for (let count = 0; count < most; count += 1) {
    assert.equal(await openStream(world, greedy.secret), 200);
  }
  const path = '/api/v1/events';
  const { headers, json, status } = await statusOf(world, { path, token: greedy.secret });
  assert.deepEqual([status, json.code, headers['retry-after']], [429, 'too_many_requests', '2']);
  assert.equal(await openStream(world, other.secret), 200);
  // A browser that is logged in by the token has no share of its own.
  const { origin } = world;
  const login = await askRaw(origin, {
    ...{ method: 'POST', path: '/api/v1/login', body: JSON.stringify({ token: greedy.secret }) },
    headers: { 'content-type': 'application/json', origin },
  });
  const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  assert.equal((await statusOf(world, { path, headers: { cookie } })).status, 429);
});
