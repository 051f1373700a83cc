import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NodeClient } from '../../../src/http/client/nodeClient.ts';
import { makeCertificates } from '../../support/makeCertificates.ts';
import { hangUp, json, problem, serveScripted } from './scriptedServer.ts';

function clientOf(t: TestContext, url: string, authority: string | null = null): NodeClient {
  const client = new NodeClient({ url: new URL(url), token: 'sct_secret', authority }, [1, 1]);
  t.after(() => client.close());
  return client;
}

test('what only reads is asked again when the node hangs up', async (t) => {
  const { seen, port } = await serveScripted(t, [hangUp, json(200, { a: 1 })]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  const query = { tag: ['a b', 'ü'], limit: 5, group: undefined };
  const { body, tag } = await client.json({ method: 'GET', path: 'jobs', query });
  assert.deepEqual([body, tag], [{ a: 1 }, '"7"']);
  assert.equal(seen.length, 2);
  assert.equal(seen[1]?.line, 'GET /api/v1/jobs?tag=a+b&tag=%C3%BC&limit=5');
  assert.equal(seen[1]?.headers.authorization, 'Bearer sct_secret');
});

test('what became of a change that is never answered is told as unknown', async (t) => {
  const held = problem(409, { code: 'idempotency_held', exitCode: 2 });
  const { port } = await serveScripted(t, [hangUp, held]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  const asked = client.json({ method: 'POST', path: 'x', body: {}, look: 'statecron job list' });
  await assert.rejects(asked, {
    code: 'outcome_unknown',
    exitCode: 75,
    hint: 'Look before you repeat it: statecron job list',
  });
});

test('a change is asked for again with the same key, and another one has another', async (t) => {
  const { seen, port } = await serveScripted(t, [
    hangUp,
    problem(503, { code: 'busy' }),
    json(201, {}),
  ]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  const request = { method: 'PATCH', path: 'jobs/a', body: { name: 'é' } } as const;
  await client.json(request);
  await client.json(request);
  await client.json({ method: 'GET', path: 'jobs/a' });
  const [first, ...repeats] = seen.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(first), /^[0-9a-f-]{36}$/);
  const another = repeats[2];
  assert.deepEqual(repeats, [first, first, another, undefined]);
  assert.notEqual(another, first);
  assert.equal(seen[2]?.body, '{"name":"é"}');
});

test('who asks too often comes back when the node says so, with a key or without', async (t) => {
  const later = problem(429, { code: 'too_many_requests', exitCode: 75 }, { 'retry-after': '1' });
  const { seen, port } = await serveScripted(t, [later, json(201, {})]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  const began = performance.now();
  await client.json({ method: 'POST', path: 'jobs', body: {} });
  assert.equal(seen.length, 2);
  assert.ok(performance.now() - began >= 990, 'not before');
});

test('what the node refuses is not asked again, and is the error that it tells', async (t) => {
  const refusal = { code: 'job_missing', detail: 'There is no job "a".', hint: 'Look.' };
  const { seen, port } = await serveScripted(t, [
    problem(404, { ...refusal, exitCode: 1 }),
    problem(422, { code: 'bad_schedule', detail: 'no', hint: 'try', exitCode: 2 }),
    problem(503, { code: 'database_away', detail: 'away', hint: 'wait', exitCode: 69 }),
  ]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  const ask = (method: 'GET' | 'POST') => client.json({ method, path: 'jobs/a' });
  const { detail: message, ...same } = refusal;
  await assert.rejects(ask('GET'), { name: 'OperatorError', ...same, message, exitCode: 1 });
  await assert.rejects(ask('GET'), { code: 'bad_schedule', exitCode: 2 });
  assert.equal(seen.length, 2);
  await assert.rejects(ask('POST'), { code: 'database_away', exitCode: 69 });
  assert.equal(seen.length, 5);
});

test('nobody there is 69, even for what is not safe to ask for twice', async (t) => {
  const { port } = await serveScripted(t, []);
  const free = http.createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port: gone } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  assert.notEqual(port, gone);
  const client = clientOf(t, `http://127.0.0.1:${gone}/`);
  await assert.rejects(client.json({ method: 'POST', path: 'jobs' }), {
    code: 'api_away',
    exitCode: 69,
  });
});

test('a token follows no redirect', async (t) => {
  const other = await serveScripted(t, [json(200, {})]);
  const { port } = await serveScripted(t, [
    (_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
    },
  ]);
  const client = clientOf(t, `http://127.0.0.1:${port}/`);
  await assert.rejects(client.json({ method: 'GET', path: 'jobs' }), { code: 'http_302' });
  assert.equal(other.seen.length, 0);
});

test('what is no API of a node is told as that, below a path of a proxy, too', async (t) => {
  const { seen, port } = await serveScripted(t, [(_, response) => response.end('<html>')]);
  const client = clientOf(t, `http://127.0.0.1:${port}/cron/`);
  const asked = client.json({ method: 'GET', path: 'jobs' });
  await assert.rejects(asked, { code: 'api_answer', exitCode: 78 });
  assert.equal(seen[0]?.line, 'GET /cron/api/v1/jobs');
});

test('a certificate is believed by its own authority alone', async (t) => {
  const files = makeCertificates(t, 'node');
  if (files === null) return t.skip('there is no openssl to make a certificate with');
  const { certFile, keyFile } = files.node;
  const [pem, secret] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  const server = https.createServer({ key: secret, cert: pem });
  const { port } = await serveScripted(t, [json(200, { a: 1 })], server);
  const url = `https://localhost:${port}/`;
  const asked = { method: 'GET', path: 'jobs' } as const;
  assert.deepEqual((await clientOf(t, url, pem).json(asked)).body, { a: 1 });
  const stranger = clientOf(t, url).json({ ...asked, method: 'POST' });
  await assert.rejects(stranger, { code: 'api_encryption', exitCode: 78 });
});
