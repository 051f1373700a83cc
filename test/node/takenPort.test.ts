import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { startNodeProcess } from './nodeProcess.ts';

test('a node whose port is taken works without an API; what it cannot do is said', async (t) => {
  const scope = lastFirst(t);
  const world = await makeStoreWorld(scope, 'mariadb');
  const holder = createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const flags = ['--http', `${port}`, '--allow-user', 'nobody-here'];
  const node = startNodeProcess(scope, world, 'a', flags);
  const serving = node.session().then(() => 'serves');
  assert.equal(await Promise.race([serving, node.exited()]), 'serves', node.log());
  assert.match(
    node.log(),
    new RegExp(`cannot listen on 127.0.0.1:${port}.*EADDRINUSE.*--http PORT`),
  );
  const isRoot = process.getuid?.() === 0;
  assert.match(node.log(), isRoot ? /nobody-here: \/etc\/passwd has no such user/ : /is not root/);
});
