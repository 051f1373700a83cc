import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addApiRoutes } from '../../../src/http/routes/addApiRoutes.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { makeApiWorld } from '../world/apiWorld.ts';

const job = { name: 'job', cron: '0 * * * *', command: 'echo hello' };

test('a repeat is answered by any node as the first was, and makes nothing', async (t) => {
  const world = await makeApiWorld(t);
  const settings = { ...httpDefaults, port: 0 };
  const listener = await openListener(settings, async () => true);
  assert.ok(listener);
  const other = serveApi({
    ...{ database: readDatabaseUrl(world.url), settings, listener },
    trouble: (what, error) => assert.fail(`${what}: ${error}`),
    addRoutes: (api) => addApiRoutes(api, '1.2.3'),
  });
  const token = await world.token('operator');
  const ask = async (origin: string) => {
    const response = await fetch(`${origin}/api/v1/jobs`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'idempotency-key': 'k1' },
        'content-type': 'application/json',
      },
      body: JSON.stringify(job),
    });
    const { headers, status } = response;
    const kept = ['content-type', 'location', 'etag'].map((name) => headers.get(name));
    const isReplayed = headers.get('idempotency-replayed') === 'true';
    return { told: [status, ...kept, await response.text()], isReplayed };
  };
  const first = await ask(world.origin);
  const second = await ask(listener.url);
  await other.close();
  assert.equal(first.told[0], 201);
  assert.deepEqual(second.told, first.told);
  assert.deepEqual([first.isReplayed, second.isReplayed], [false, true]);
  const revisions = await world.rows('SELECT revision FROM job_revision');
  assert.equal(revisions.length, 1);
});

test('a key is one request’s and one caller’s', async (t) => {
  const world = await makeApiWorld(t);
  const headers = { 'idempotency-key': 'k1' };
  const post = (body: object, more: { token?: string; headers?: Record<string, string> } = {}) =>
    world.ask('POST', '/api/v1/jobs', { body, headers, ...more });
  assert.equal((await post(job)).status, 201);
  const reused = await post({ ...job, name: 'other' });
  assert.deepEqual([reused.status, reused.json.code], [422, 'idempotency_key_reused']);
  const token = await world.token('operator');
  const others = await post({ ...job, name: 'theirs' }, { token });
  assert.equal(others.status, 201, 'the same word of another caller is another key');
  for (const key of ['', 'a b', 'x'.repeat(201)]) {
    const wrong = await post(job, { headers: { 'idempotency-key': key } });
    assert.equal(wrong.status, 400, key);
  }
});

test('of ten at once with one key one job is made, and all are told so in the end', async (t) => {
  const world = await makeApiWorld(t);
  const headers = { 'idempotency-key': 'k1' };
  const post = () => world.ask('POST', '/api/v1/jobs', { body: job, headers });
  const answers = await Promise.all(Array.from({ length: 10 }, post));
  for (const { json, status } of answers) {
    if (status === 409) assert.equal(json.code, 'idempotency_held');
    else assert.equal(status, 201);
  }
  assert.equal((await post()).status, 201);
  assert.equal((await world.rows('SELECT job_id FROM job')).length, 1);
});

test('a request that was refused may be asked again under its key', async (t) => {
  const world = await makeApiWorld(t);
  const headers = { 'idempotency-key': 'k1' };
  const run = () => world.ask('POST', '/api/v1/jobs/job/run', { headers });
  assert.equal((await run()).status, 404);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const asked = await run();
  assert.equal(asked.status, 202, asked.text);
  assert.deepEqual((await run()).json, asked.json);
});

test('what changes nothing leaves no row of its key behind', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const [viewer, operator] = [await world.token('viewer'), await world.token('operator')];
  const file = { type: 'application/yaml', text: 'jobs:\n  a: {cron: "@daily", command: b}\n' };
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T03:00:00Z', dryRun: true };
  const asked = [
    ['/schedule/preview', { token: viewer, body: { cron: '* * * * *' } }, 200],
    ['/plan', { token: viewer, ...file }, 200],
    ['/jobs/job/backfill', { token: operator, body: range }, 202],
    ['/jobs/none/pause', { token: operator }, 404],
    ['/jobs', { token: operator, body: { name: 'x' } }, 422],
  ] as const;
  for (const [at, [path, options, wanted]] of asked.entries()) {
    const headers = { 'idempotency-key': `k${at}` };
    const { status, text } = await world.ask('POST', `/api/v1${path}`, { ...options, headers });
    assert.equal(status, wanted, text);
    assert.deepEqual(await world.rows('SELECT made_at FROM idempotency_key'), [], path);
  }
  assert.deepEqual(world.troubles, []);
});

test('a token is in one answer: neither a repeat nor the database has it', async (t) => {
  const world = await makeApiWorld(t);
  const headers = { 'idempotency-key': 'k1' };
  const body = { name: 'bob', role: 'viewer' };
  const first = await world.ask('POST', '/api/v1/tokens', { body, headers });
  assert.equal(first.status, 201);
  const secret = first.json.secret as string;
  assert.match(secret, /^statecron_/);
  const second = await world.ask('POST', '/api/v1/tokens', { body, headers });
  assert.deepEqual(second.json, { ...first.json, secret: null });
  for (const table of ['api_token', 'audit_log', 'idempotency_key']) {
    const rows = await world.rows(`SELECT * FROM ${table}`);
    const text = rows.map((row) => Object.values(row).map(String).join(' ')).join(' ');
    assert.ok(!text.includes(secret.slice(-43)), table);
  }
});
