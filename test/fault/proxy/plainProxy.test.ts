import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { within } from '../../support/until.ts';
import type { RequestCut } from './plainConnection.ts';
import { startPlainProxy } from './plainProxy.ts';

const answer = 'x'.repeat(2_000);

/** A server that counts the requests that it was given whole, behind a proxy. */
async function makeWorld(context: Scope) {
  const scope = lastFirst(context);
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.push(`${request.method} ${request.url}`);
      response.end(answer);
    });
    request.on('error', () => undefined); // the proxy tore it
  });
  scope.after(async () => {
    server.close();
    server.closeAllConnections();
  });
  const proxy = await startPlainProxy(scope);
  server.listen(proxy.targetPort, '127.0.0.1');
  await once(server, 'listening');
  const send = async (method: string, path: string): Promise<string> => {
    const body = method === 'POST' ? 'a body' : null;
    const signal = AbortSignal.timeout(10_000);
    return (await fetch(`${proxy.url}${path}`, { method, body, signal })).text();
  };
  return { proxy, seen, send };
}

const cuts: [RequestCut, boolean][] = [
  ['request lost', false],
  ['request torn', false],
  ['answer lost', true],
  ['answer torn', true],
];
for (const [cut, isDone] of cuts) {
  test(`${cut}: the client is cut and the request ${isDone ? 'done' : 'not done'}`, async (t) => {
    const { send, proxy, seen } = await makeWorld(t);
    const armed = proxy.arm(cut);
    assert.equal(await send('GET', '/look'), answer, 'what changes nothing is not what it is for');
    await assert.rejects(send('POST', '/cut'));
    await within('the cut', armed.hit);
    assert.equal(await send('POST', '/next'), answer, 'it is done once');
    assert.deepEqual(seen, ['GET /look', ...(isDone ? ['POST /cut'] : []), 'POST /next']);
  });
}

test('what passes nowhere passes after the heal', async (t) => {
  const { send, proxy, seen } = await makeWorld(t);
  proxy.blackHole('to client');
  let isOver = false;
  const sent = send('POST', '/held').finally(() => {
    isOver = true;
  });
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false);
  proxy.heal();
  assert.equal(await sent, answer);
});

test('a refused connection is known never to have been heard', async (t) => {
  const { send, proxy, seen } = await makeWorld(t);
  proxy.refuse(true);
  await assert.rejects(send('GET', '/nobody'), (error: Error) => {
    return (error.cause as { code?: string }).code === 'ECONNREFUSED';
  });
  proxy.heal();
  assert.equal(await send('GET', '/again'), answer);
  assert.deepEqual(seen, ['GET /again']);
});
