import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { until } from '../../../support/until.ts';
import { askRaw } from '../../world/askRaw.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const admin = (await world.token('admin')).secret;

/** An answer that goes on, until it is over. */
async function open(path: string, headers: http.OutgoingHttpHeaders, method = 'GET') {
  const asked = http.request(`${origin}${path}`, { method, headers, agent: false });
  fileScope.after(async () => void asked.destroy());
  const heard = { text: '', isOver: false };
  const end = (): void => {
    heard.isOver = true;
  };
  await new Promise<void>((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      response.on('data', (bytes: Buffer) => {
        heard.text += bytes.toString();
      });
      response.on('close', end).on('error', end);
      assert.equal(response.statusCode, 200);
      resolve();
    });
    asked.end();
  });
  return heard;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('dagu CVE-2026-31882: a stream ends with its token, and with its login', async () => {
  const revoked = await world.token('viewer');
  const expiring = await world.token('viewer', { expiresMs: Date.now() + 25_000 });
  const browsing = await world.token('viewer');
  const own = { 'content-type': 'application/json', origin };
  const login = await askRaw(origin, {
    ...{ method: 'POST', path: '/api/v1/login', headers: own },
    body: JSON.stringify({ token: browsing.secret }),
  });
  const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const streams = {
    revoked: await open('/api/v1/events', bearer(revoked.secret)),
    expired: await open('/events', bearer(expiring.secret)),
    'logged out': await open('/api/v1/events', { cookie }),
  };
  const good = await open('/api/v1/events', bearer(browsing.secret));
  const path = `/api/v1/tokens/${revoked.tokenId}`;
  assert.equal((await askRaw(origin, { method: 'DELETE', path, token: admin })).status, 200);
  const headers = { cookie, origin };
  const out = await askRaw(origin, { method: 'POST', path: '/api/v1/logout', headers });
  assert.equal(out.status, 204, out.text);
  for (const [why, stream] of Object.entries(streams)) {
    await until(`the end of what was ${why}`, () => stream.isOver, 60_000);
  }
  assert.ok(!good.isOver, 'the token that is in force hears no more');
});

test('dagu CVE-2026-31882: who follows a run hears no more of it than the token may', async () => {
  const words = { name: 'long', cron: '0 0 1 1 *', command: 'sleep 60' };
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    askRaw(origin, { method: 'POST', path, token: admin, headers, body: JSON.stringify(body) });
  assert.equal((await post('/api/v1/jobs', words)).status, 201);
  assert.equal((await post('/api/v1/jobs/long/run', { requestId: 'followed' })).status, 202);
  const [launch] = await world.worker.claim();
  assert.ok(launch);
  await world.worker.start(launch);
  const viewer = await world.token('viewer');
  const path = '/api/v1/runs/followed/follow';
  const stream = await open(path, { ...bearer(viewer.secret), 'content-length': '0' }, 'POST');
  const revoke = { method: 'DELETE', path: `/api/v1/tokens/${viewer.tokenId}`, token: admin };
  assert.equal((await askRaw(origin, revoke)).status, 200);
  await until('the end of what is followed', () => stream.isOver);
});
