import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { HeardAnswer } from '../world/askRaw.ts';
import { askRaw } from '../world/askRaw.ts';
import { type Fuzzed, fuzzApi } from './fuzzApi.ts';
import { makeFuzzWorld } from './fuzzWorld.ts';
import { JobLedger } from './jobLedger.ts';

test('of 300 generated requests none is a fault of ours, and no job is lost', async (t) => {
  const fuzzed = await makeFuzzWorld(t);
  const seed = Date.now() % 2 ** 31;
  const { failure, sent, statuses } = await fuzzApi(fuzzed, { requests: 300, seed });
  assert.equal(failure, null, failure ?? '');
  assert.ok(sent >= 300);
  // Requests that are all refused would try little.
  const taken = [...statuses].filter(([status]) => status >= 200 && status < 300);
  const count = taken.reduce((sum, [, each]) => sum + each, 0);
  assert.ok(count >= sent / 10, `seed ${seed}: ${count} of ${sent} were taken`);
  t.diagnostic(`seed ${seed}: ${JSON.stringify(Object.fromEntries(statuses))}`);
});

/** A server with one operation, which adds jobs with a `size`, and a mistake. */
async function serveMistake(t: TestContext, mistake: RequestListener): Promise<Fuzzed> {
  const body = {
    type: 'object',
    properties: { job: { type: 'string' }, size: { type: 'integer', minimum: 0, maximum: 9_999 } },
    required: ['job', 'size'],
  };
  const operation = {
    'x-role': 'anyone',
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
  };
  const document = { paths: { '/api/v1/jobs': { post: operation } }, components: {} };
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/api/v1/jobs')
      return mistake(request, response);
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(request.url === '/openapi.json' ? document : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    send: ({ method, target, headers, body: text }) =>
      askRaw(origin, { method, path: target, headers, body: text ?? undefined }),
    readJobs: async () => [],
    work: async () => undefined,
    examine: async () => [],
  };
}

test('a mistake is found and shrunk to the least request that shows it', async (t) => {
  const fuzzed = await serveMistake(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { size } = read(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/problem+json');
    response.statusCode = size >= 50 ? 500 : 422;
    const problem = { status: response.statusCode, code: 'x', detail: 'x' };
    response.end(JSON.stringify(problem));
  });
  const { failure } = await fuzzApi(fuzzed, { requests: 1_000, seed: 1 });
  assert.match(failure ?? '', /seed 1, round \d+, shrunk \d+ times to:/);
  const sizes = [...(failure ?? '').matchAll(/POST \/api\/v1\/jobs .*\\"size\\":(\d+)/g)];
  // The request, and the same with its fault.
  assert.deepEqual(
    sizes.map(([, size]) => size),
    ['50', '50'],
    failure ?? '',
  );
});

test('a job that was answered 201 and is not there is told as lost', async (t) => {
  const fuzzed = await serveMistake(t, (request, response) => {
    request.resume();
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ job: 'gone' }));
  });
  const { failure } = await fuzzApi({ ...fuzzed }, { requests: 20, seed: 1 });
  assert.match(failure ?? '', /the job "gone" is lost/);
});

test('a request that is cut off is a failure', async (t) => {
  const fuzzed = await serveMistake(t, (request) => request.socket.destroy());
  const { failure } = await fuzzApi(fuzzed, { requests: 20, seed: 1 });
  assert.match(failure ?? '', /socket hang up|ECONNRESET/);
});

/** What is no JSON has no size. */
function read(text: string): { size: number } {
  try {
    const value = JSON.parse(text) as { size?: unknown } | null;
    return { size: typeof value?.size === 'number' ? value.size : 0 };
  } catch {
    return { size: 0 };
  }
}

test('the ledger asks what is there when two requests at once were about one job', async () => {
  const ledger = new JobLedger();
  const answer = (status: number, json: object): HeardAnswer =>
    ({ status, json, headers: {}, text: '' }) as HeardAnswer;
  const request = { sender: 'admin', headers: {}, body: null } as const;
  const add = { ...request, method: 'POST', target: '/api/v1/jobs' };
  const remove = { ...request, method: 'DELETE', target: '/api/v1/jobs/a' };
  ledger.note(add, answer(201, { job: 'a' }));
  await ledger.settle(() => assert.fail('there is no doubt'));
  assert.deepEqual(ledger.jobs, ['a']);
  ledger.note(remove, answer(200, { job: 'a' }));
  ledger.note(add, answer(201, { job: 'a' }));
  await ledger.settle(async () => []);
  assert.deepEqual([ledger.jobs, ledger.doubts], [[], 1]);
});
