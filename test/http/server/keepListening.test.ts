import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { keepListening } from '../../../src/http/server/keepListening.ts';
import { until } from '../../support/until.ts';

async function takePort(t: TestContext) {
  const holder = createServer();
  holder.listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const free = () => new Promise((resolve) => holder.close(resolve));
  t.after(() => holder.listening && free());
  return { port: (holder.address() as { port: number }).port, free };
}

function listen(settings: Partial<typeof httpDefaults>, hasToken = async () => true) {
  const told: string[] = [];
  const reports = {
    listens: (url: string) => told.push(url),
    cannot: (error: Error) => told.push((error as { code?: string }).code ?? error.message),
  };
  const patience = { retryMs: 20, isForAnything: false };
  const wanted = { ...httpDefaults, isPortWanted: true, ...settings };
  return { told, listening: keepListening(wanted, hasToken, reports, patience) };
}

test('a port that is taken is listened on when it is free, with answers of then', async (t) => {
  const { free, port } = await takePort(t);
  const { listening, told } = listen({ port });
  const listener = await listening;
  listener.attach((_, response) => response.end('here'));
  assert.deepEqual(told, ['http_address']);
  await free();
  await until('it listens', () => told.length > 1);
  assert.deepEqual(told, ['http_address', `http://127.0.0.1:${port}`], 'each reason is told once');
  assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'here');
  await listener.close();
  await assert.rejects(fetch(`http://127.0.0.1:${port}`), 'nobody listens any more');
});

test('who comes before anybody answers is to come again, a browser by itself', async () => {
  const { listening, told } = listen({ port: 0 });
  const listener = await listening;
  const early = await fetch(String(told[0]));
  assert.equal(early.status, 503);
  assert.deepEqual(
    ['retry-after', 'refresh'].map((name) => early.headers.get(name)),
    ['1', '1'],
  );
  assert.match(await early.text(), /^The node starts\./);
  await listener.close();
});

test('the door opens to others once there is a token', async () => {
  let tokens = 0;
  const asked = async () => {
    if (tokens === 0) return false;
    if (tokens === 1) throw new Error('the database is away');
    return true;
  };
  const { listening, told } = listen({ host: '0.0.0.0', port: 0 }, asked);
  const listener = await listening;
  assert.deepEqual(told, ['http_without_token']);
  tokens = 1;
  await until('another reason is told', () => told.length > 1);
  tokens = 2;
  await until('it listens', () => told.length > 2);
  assert.deepEqual(told.slice(0, 2), ['http_without_token', 'the database is away']);
  await listener.close();
});

test('who leaves before the port was free listens no more', async (t) => {
  const { free, port } = await takePort(t);
  const { listening } = listen({ port });
  await (await listening).close();
  await free();
  const again = createServer().listen(port, '127.0.0.1');
  await once(again, 'listening');
  again.close();
});
