import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { makeBrowserWorld } from './browserWorld.ts';

const secret = 's'.repeat(32);

test('behind a proxy that names its reader the page needs no login', { skip }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'statecron-proxy-'));
  fileScope.after(async () => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'secret');
  writeFileSync(file, secret, { mode: 0o600 });
  const named = ['--proxy-user-header', 'X-Forwarded-User', '--proxy-user', 'alice=operator'];
  const flags = ['--proxy-from', '127.0.0.1', '--proxy-secret-file', file, ...named];
  const world = await makeBrowserWorld(fileScope, undefined, flags);
  await world.addJob({ name: 'mine', command: 'true' });
  const proxy = await startProxy(world.origin);
  const { page, troubles } = await world.open({ origin: proxy.origin });

  await page.goto(proxy.origin);
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.getByText('alice', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0);
  await page.goto(`${proxy.origin}/#/jobs/mine`);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('button', { name: 'Run it now' }).click();
  await page.getByRole('link', { name: 'Show the run and its output' }).click();
  await page.getByText('succeeded', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);

  // The proxy has ended the login; then it lets in somebody who has no role.
  // (The open stream goes on, and a run that has ended is not read again.)
  proxy.user = null;
  await page.goto(`${proxy.origin}/#/jobs`);
  await page.getByText('Your login is over.').waitFor();
  proxy.user = 'mallory';
  await page.getByRole('button', { name: 'Log in again' }).click();
  await page.getByText('"mallory" has no role here').waitFor();
});

/** Names whoever comes by it as `user`; null: it lets nobody through. */
async function startProxy(origin: string): Promise<{ origin: string; user: string | null }> {
  const proxy = { origin: '', user: 'alice' as string | null };
  const server = createServer((incoming, outgoing) => {
    if (proxy.user === null && incoming.url !== '/') return outgoing.writeHead(401).end();
    const headers = {
      ...incoming.headers,
      ...{ 'x-forwarded-user': proxy.user ?? '', 'x-statecron-proxy-secret': secret },
    };
    const { method, url } = incoming;
    const forwarded = request(`${origin}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fileScope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
