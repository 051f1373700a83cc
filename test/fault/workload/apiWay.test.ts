import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Random } from '../world/random.ts';
import { apiWay } from './apiWay.ts';
import type { OperationRequest } from './operationRequest.ts';
import type { ApiTarget } from './requestApi.ts';

interface Given {
  readonly status: number;
  readonly body?: object;
}

/** A node that answers as it is set to; `cut`: not at all, though it has heard. */
async function startNode(t: TestContext, name: string, answers: readonly (Given | 'cut')[]) {
  const left = [...answers];
  const heard: { method: string; path: string; key: string | null; tag: string | null }[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      heard.push(heardOf(request));
      const given = left.shift() ?? 'cut';
      if (given === 'cut') return void request.socket.resetAndDestroy();
      response.writeHead(given.status, { etag: '"1-2"' }).end(JSON.stringify(given.body ?? {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const target: ApiTarget = {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  return { heard, target };
}

function heardOf({ method = '', url = '', headers }: IncomingMessage) {
  const { 'idempotency-key': key = null, 'if-match': tag = null } = headers;
  return { method, path: url, key: key as string | null, tag };
}

/** Draws what makes a way send again, and read before it edits; or neither. */
function drawing(value: number): Random {
  return { next: () => value } as Random;
}
const always = drawing(0);
const never = drawing(0.99);

const pause: OperationRequest = {
  ...{ kind: 'pause', job: 'a b', launchId: null, command: null, cron: null },
};
const edit: OperationRequest = { ...pause, kind: 'edit', command: 'true' };

interface Asking {
  readonly random?: Random;
  readonly second?: readonly (Given | 'cut')[];
}

async function sendTo(
  t: TestContext,
  request: OperationRequest,
  answers: readonly (Given | 'cut')[],
  { random = never, second = [] }: Asking = {},
) {
  const first = await startNode(t, 'n1', answers);
  const other = await startNode(t, 'n2', second);
  const troubles: string[] = [];
  const way = apiWay({
    first: first.target,
    another: () => other.target,
    token: 'secret',
    random,
    trouble: (text) => void troubles.push(text),
  });
  const answer = await way.send(request);
  return { answer, troubles, first: first.heard, second: other.heard };
}

const rows: [string, Given | 'cut', 'ok' | 'fail' | 'info'][] = [
  ['an answer', { status: 200, body: { revision: 7 } }, 'ok'],
  ['a job that is not there', { status: 404, body: { code: 'job_missing' } }, 'fail'],
  ['a database that was away before', { status: 503, body: { code: 'database_away' } }, 'fail'],
  ['an outcome that is unknown', { status: 504, body: { code: 'outcome_unknown' } }, 'info'],
  ['a key that another holds', { status: 409, body: { code: 'idempotency_held' } }, 'info'],
  ['a connection that is cut', 'cut', 'info'],
];
for (const [what, given, outcome] of rows) {
  test(`${what} is told as ${outcome}`, async (t) => {
    const { answer, first, troubles } = await sendTo(t, pause, [given]);
    assert.equal(answer.outcome, outcome, answer.message);
    assert.equal(answer.isAnswered, given !== 'cut');
    assert.equal(answer.revision, outcome === 'ok' ? 7 : null);
    assert.deepEqual(troubles, []);
    assert.deepEqual(
      first.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/jobs/a%20b/pause'],
    );
  });
}

test('an answer that no node may give is told of', async (t) => {
  const { answer, troubles } = await sendTo(t, pause, [
    { status: 500, body: { code: 'internal' } },
  ]);
  assert.equal(answer.outcome, 'info');
  assert.match(troubles.join(), /n1 answered POST .*: 500 internal/);
});

test('an answer that is lost is asked for again at another node, under one key', async (t) => {
  const second = [{ status: 200, body: { revision: 3 } }];
  const { answer, ...heard } = await sendTo(t, pause, ['cut'], { random: always, second });
  assert.deepEqual([answer.outcome, answer.revision], ['ok', 3]);
  assert.equal(heard.first.length, 1);
  assert.equal(heard.first[0]?.key, heard.second[0]?.key);
});

test('what is refused after an answer was lost may have been done', async (t) => {
  const second = [{ status: 404, body: { code: 'job_missing' } }];
  const { answer } = await sendTo(t, pause, ['cut'], { random: always, second });
  assert.equal(answer.outcome, 'info');
});

test('an edit names what it read, and is never asked for again', async (t) => {
  const { answer, first, second } = await sendTo(t, edit, [{ status: 200 }, 'cut'], {
    random: always,
  });
  assert.equal(answer.outcome, 'info');
  assert.deepEqual(
    first.map(({ method, tag }) => [method, tag]),
    [
      ['GET', null],
      ['PATCH', '"1-2"'],
    ],
  );
  assert.deepEqual(second, []);
});
