import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { OneTimeLogin } from '../../../src/http/authentication/oneTimeLogin.ts';
import { addApiRoutes } from '../../../src/http/routes/addApiRoutes.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';

test('a code stands for its token once, for ten minutes, and not after ten wrong ones', () => {
  let nowMs = 0;
  const make = () => new OneTimeLogin('abc', () => nowMs);
  const used = make();
  assert.equal(used.take(`${used.code}x`), null);
  assert.equal(used.take(used.code), 'abc');
  assert.equal(used.take(used.code), null);
  const old = make();
  nowMs += 10 * 60_000;
  assert.equal(old.take(old.code), null);
  const guessed = make();
  for (let tries = 0; tries < 10; tries += 1) assert.equal(guessed.take(make().code), null);
  assert.equal(guessed.take(guessed.code), null);
});

test('the link logs in one browser, from its own page on this machine alone', async (t) => {
  const scope = lastFirst(t);
  const world = await makeStoreWorld(scope, 'mariadb');
  const request = { name: 'first', role: 'operator', groups: ['shop'], expiresMs: null } as const;
  const { tokenId } = await addToken(world.channel, request);
  const oneTime = new OneTimeLogin(tokenId);
  const settings = { ...httpDefaults, host: '0.0.0.0', port: 0 };
  const listener = await openListener(settings, async () => true);
  const served = serveApi({
    ...{ database: readDatabaseUrl(world.url), settings, listener, oneTime },
    trouble: (what, error) => assert.fail(`${what}: ${error}`),
    addRoutes: (api) => addApiRoutes(api, '1.2.3'),
  });
  scope.after(() => served.close());
  const { port } = new URL(listener.url);
  const origin = `http://127.0.0.1:${port}`;
  const send = (to: string, code: string, headers: Record<string, string>) =>
    fetch(`${to}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token: code }),
    });
  const other = 'https://other.example';
  assert.equal((await send(origin, oneTime.code, {})).status, 403);
  assert.equal((await send(origin, oneTime.code, { origin: other })).status, 403);
  const crossSite = { origin, 'sec-fetch-site': 'cross-site' };
  assert.equal((await send(origin, oneTime.code, crossSite)).status, 403);
  const outside = Object.values(os.networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  if (outside === undefined) t.diagnostic('not run: by an address of a network, as there is none');
  else {
    const origin = `http://${outside}:${port}`;
    assert.equal((await send(origin, oneTime.code, { origin })).status, 401);
  }

  const answer = await send(origin, oneTime.code, { origin });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { name: 'first', role: 'operator', groups: ['shop'] });
  const [cookie = ''] = answer.headers.getSetCookie();
  assert.match(cookie, /; HttpOnly; SameSite=Strict$/i);
  const caller = await fetch(`${origin}/api/v1/caller`, {
    headers: { cookie: cookie.split(';')[0] ?? '' },
  });
  assert.equal(caller.status, 200);
  assert.equal((await send(origin, oneTime.code, { origin })).status, 401);
});
