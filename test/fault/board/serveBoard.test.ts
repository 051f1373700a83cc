import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { fileScope } from '../../support/testEngine.ts';
import { readFaultOptions } from '../readFaultOptions.ts';
import type { RunState } from '../startProgress.ts';
import { FaultBoard } from './faultBoard.ts';
import { serveBoard } from './serveBoard.ts';

const command = readFaultOptions(['--board', '--out', '/nowhere']);
if (command.command !== 'run') throw new Error('it is no run');
const state = { phase: 'starting', lasting: new Set(), troubles: [] } as unknown as RunState;
const board = new FaultBoard(command.options, state);
const server = await serveBoard(board, 0);
fileScope.after(() => server.close());
const { hostname, pathname, port, origin } = new URL(server.url);

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By hand: `fetch` sends no Host and no Origin but its own. */
async function ask({ method = 'GET', path = pathname, headers = {}, body = '' }: Asked) {
  return await new Promise<{ status: number; text: string; policy: string }>((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => {
        const policy = String(answer.headers['content-security-policy']);
        resolve({ status: answer.statusCode ?? 0, text, policy });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const press = (headers: Asked['headers'], path = `${pathname}press`) =>
  ask({ method: 'POST', path, headers: { ...json, ...headers }, body: '{"kind":"node killed"}' });

test('a board listens on loopback alone, and its page runs no script but its own', async () => {
  assert.equal(hostname, '127.0.0.1');
  const { policy, status, text } = await ask({});
  assert.equal(status, 200);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src/);
  assert.equal(/<script>|style=|onclick/.test(text), false);
});

test('who does not know the token of a board sees nothing and presses nothing', async () => {
  assert.equal(pathname.length > 20, true);
  for (const path of ['/', '/board.js', '/events', '/report', '/x/', `/x${pathname}`]) {
    assert.equal((await ask({ path })).status, 404, path);
  }
  assert.equal((await press({}, '/press')).status, 404);
});

test('a page of another name or origin presses nothing', async () => {
  for (const host of ['evil.example', `evil.example:${port}`, `localhost:${port}`]) {
    assert.equal((await ask({ headers: { host } })).status, 404, host);
    assert.equal((await press({ host })).status, 404, host);
  }
  assert.equal((await press({ origin: 'http://evil.example' })).status, 403);
  assert.equal((await press({ 'content-type': 'text/plain' })).status, 400);
});

test('what a board is told before its cluster is live is refused with a reason', async () => {
  const { status, text } = await press({ origin });
  assert.equal(status, 409);
  assert.deepEqual(JSON.parse(text), { refusal: 'no faults are taken now' });
  const long = `{"kind":"${'x'.repeat(5_000)}"}`;
  const path = `${pathname}press`;
  assert.equal((await ask({ method: 'POST', path, headers: json, body: long })).status, 400);
  assert.equal((await ask({ method: 'PUT' })).status, 405);
});
