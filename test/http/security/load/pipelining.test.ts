import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { until } from '../../../support/until.ts';
import { askRaw } from '../../world/askRaw.ts';
import { openSocket } from '../../world/rawRequest.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const token = (await world.token('viewer')).secret;

/** Sends bytes at once; how many answers came until the connection was ended, or there were two. */
async function answersTo(text: string): Promise<number> {
  const socket = await openSocket(origin);
  let heard = '';
  socket.on('data', (bytes: Buffer) => {
    heard += bytes.toString('latin1');
  });
  const count = () => heard.split('HTTP/1.1 ').length - 1;
  socket.write(text);
  await until('an end, or two answers', () => socket.closed || count() > 1);
  socket.destroy();
  return count();
}

const host = 'Host: localhost\r\n';
const body = `${host}Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}`;
const kinds = {
  'that need no token': `GET /livez HTTP/1.1\r\n${host}\r\n`,
  'for a large answer': `GET /docs HTTP/1.1\r\n${host}\r\n`,
  'with bodies': `POST /api/v1/login HTTP/1.1\r\n${body}`,
  'without a host': 'GET /livez HTTP/1.1\r\n\r\n',
  'without a host, with bodies': `POST /livez HTTP/1.1\r\n${body.replace(host, '')}`,
  'that expect something': `GET /livez HTTP/1.1\r\nExpect: more\r\n${host}\r\n`,
  'that expect something, with bodies': `POST /livez HTTP/1.1\r\nExpect: more\r\n${body}`,
};

for (const [kind, request] of Object.entries(kinds)) {
  test(`of 1,000 requests at once ${kind}, one is begun, and its connection ends`, async () => {
    const answers = await answersTo(request.repeat(1_000));
    assert.ok(answers <= 1, `${answers} answers`);
    assert.equal((await askRaw(origin, { method: 'GET', path: '/livez' })).status, 200);
  });
}

test('a second request in another packet, before the answer, ends the connection', async () => {
  const socket = await openSocket(origin);
  let answers = 0;
  socket.on('data', (bytes: Buffer) => {
    answers += bytes.toString('latin1').split('HTTP/1.1 ').length - 1;
  });
  const slow = `GET /api/v1/jobs HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n${host}\r\n`;
  // The first packet is read by itself; its answer waits for the database.
  socket.write(slow);
  setImmediate(() => socket.write(slow.repeat(100)));
  await until('an end, or three answers', () => socket.closed || answers > 2);
  assert.ok(answers <= 2, `${answers} answers`);
});

test('a connection serves one request after the other, with bodies and without', async (t) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ports = new Set<number>();
  agent.on('free', (socket: { localPort: number }) => ports.add(socket.localPort));
  const json = { 'content-type': 'application/json' };
  const preview = JSON.stringify({ cron: '0 0 * * *', count: 50 });
  const asked = [
    { method: 'GET', path: '/docs', status: 200 },
    { method: 'GET', path: '/api/v1/jobs', token, status: 200 },
    { method: 'POST', path: '/api/v1/schedule/preview', token, headers: json, body: preview },
    { method: 'POST', path: '/api/v1/login', headers: json, body: '{"token":""}', status: 403 },
    { method: 'GET', path: '/nothing', status: 401 },
  ] as const;
  for (let round = 0; round < 5; round += 1) {
    for (const request of asked) {
      const { status } = await askRaw(origin, { ...request, agent });
      assert.equal(status, 'status' in request ? request.status : 200, request.path);
    }
  }
  assert.equal(ports.size, 1, 'one connection for all of them');
});
