import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { makeNodeWorld, type NodeWorld } from '../../../node/nodeWorld.ts';
import { fileScope } from '../../../support/testEngine.ts';
import { until } from '../../../support/until.ts';
import { watchStalls } from '../../../support/watchStalls.ts';
import { askRaw } from '../../world/askRaw.ts';
import { openSocket, type RawAnswer, readToEnd } from '../../world/rawRequest.ts';

const ttlMs = 15_000;
const world = await makeNodeWorld(fileScope);
const node = world.start('slow', [
  ...['--http', '0', '--session-ttl', `${ttlMs}ms`],
  ...['--http-connections-per-address', '1000'],
]);
const session = await node.session();
const stalledMs = watchStalls(world);
const origin = await until(
  'the address of the API',
  () => /the API listens on (http:[^" ]+)/.exec(node.log())?.[1],
);

/** How long ago the session was renewed, and whether it is the one from the beginning. */
async function silentMs({ rows }: NodeWorld): Promise<number> {
  const [row] = await rows(
    `SELECT TIMESTAMPDIFF(MICROSECOND, renewed_at, NOW(3)) / 1000 AS silent_ms FROM session
     WHERE session_id = ? AND state = 'live'`,
    [session.sessionId],
  );
  assert.ok(row, `the node has lost its session: ${node.log()}`);
  return Number(row.silent_ms);
}

/**
 * Watches the heartbeats while something goes on, and asks the node as others would. A beat is due
 * fifteen times in a TTL; half a TTL without one is far from a loss and far from being on time.
 */
async function requireBeatsDuring(work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  let worstMs = 0;
  let asked = 0;
  await until(
    'the end of the slow ones',
    async () => {
      worstMs = Math.max(worstMs, await silentMs(world));
      const { status } = await askRaw(origin, { method: 'GET', path: '/livez' });
      assert.equal(status, 200);
      asked += 1;
      return isOver && asked > 3;
    },
    90_000,
  );
  await ended;
  const bound = ttlMs / 2 + stalledMs();
  assert.ok(worstMs < bound, `${worstMs} ms without a heartbeat, not ${bound}`);
}

// At once: each of them waits for the same seconds to pass.
describe('slowloris', { concurrency: true }, () => {
  test('500 half-sent heads are cut off, and heartbeats stay on time', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 500; count += 1) sockets.push(await openSocket(origin));
    const head = 'GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-A: b';
    const answers = Promise.all(sockets.map((socket) => drip(socket, head, '\r\nX-A: b')));
    await requireBeatsDuring(answers);
    for (const { status, tookMs } of await answers) {
      assert.ok(status === 408 || status === 0, `${status}`);
      // Eight to ten seconds; the rest is the machine's.
      assert.ok(tookMs < 60_000, `${tookMs} ms`);
    }
  });

  test('a body of a byte a second is cut off, and heartbeats stay on time', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 50; count += 1) sockets.push(await openSocket(origin));
    const head = [
      'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json',
      'Content-Length: 4000\r\n\r\n{"token":"',
    ].join('\r\n');
    const answers = Promise.all(sockets.map((socket) => drip(socket, head, 'x')));
    await requireBeatsDuring(answers);
    const statuses = (await answers).map(({ status }) => status);
    // Some are cut off; that there are more bodies than may come at once, the others are told.
    assert.deepEqual(
      statuses.filter((status) => ![0, 400, 408, 503].includes(status)),
      [],
    );
    assert.ok(statuses.includes(408), `${statuses}`);
  });

  test('who opens a connection and says nothing is cut off', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 50; count += 1) sockets.push(await openSocket(origin));
    const answers = Promise.all(sockets.map((socket) => readToEnd(socket)));
    await requireBeatsDuring(answers);
  });
});

test('a head of more than 16 KB, and one of thousands of lines, is refused', async () => {
  for (const more of [`X-A: ${'x'.repeat(20_000)}\r\n`, 'X-A: b\r\n'.repeat(5_000)]) {
    const socket = await openSocket(origin);
    const text = `GET /livez HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    const { status } = await readToEnd(socket, text);
    assert.ok(status === 431 || status === 0, `${status}`);
  }
  assert.equal((await askRaw(origin, { method: 'GET', path: '/livez' })).status, 200);
});

/** Sends the beginning, and a little more each second until the server has had enough. */
async function drip(socket: Socket, begin: string, more: string): Promise<RawAnswer> {
  const timer = setInterval(() => socket.write(more), 1_000);
  socket.on('close', () => clearInterval(timer));
  return readToEnd(socket, begin);
}
