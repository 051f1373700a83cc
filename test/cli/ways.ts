import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addApiRoutes } from '../../src/http/routes/addApiRoutes.ts';
import { serveApi } from '../../src/http/serveApi.ts';
import { httpDefaults } from '../../src/http/server/httpSettings.ts';
import { openListener } from '../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../src/store/tokens/addToken.ts';
import type { StoreWorld } from '../support/storeWorld.ts';
import type { CliOptions } from './runCli.ts';

/** How a command reaches its cluster: the database itself, or the API of a node. */
export type Way = (typeof ways)[number];

const ways = ['database', 'api'] as const;

/** What `runCli` is given so that a command finds the cluster. */
export type Reach = Pick<CliOptions, 'url' | 'env'>;

/** The same test for a command that speaks to the database and for one that asks a node. */
export function testBothWays(
  title: string,
  run: (t: TestContext, way: Way) => Promise<void>,
): void {
  for (const way of ways) test(`${title} (${way})`, (t) => run(t, way));
}

/** The world's cluster for commands of one way; by the API, one that is served here. */
export async function reach(t: TestContext, way: Way, world: StoreWorld): Promise<Reach> {
  return way === 'database' ? { url: world.url } : reachByApi(t, world, await makeTestToken(world));
}

/** A token that may do everything: its secret. */
export async function makeTestToken({ channel }: StoreWorld): Promise<string> {
  const request = { name: 'test', role: 'admin', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(channel, request);
  assert.ok(secret);
  return secret;
}

/** Serves the world's API here, until the test's end. */
export async function reachByApi(t: TestContext, world: StoreWorld, token: string): Promise<Reach> {
  const settings = { ...httpDefaults, port: 0 };
  const listener = await openListener(settings, async () => true);
  assert.ok(listener);
  const troubles: string[] = [];
  const api = serveApi({
    database: readDatabaseUrl(world.url),
    settings,
    listener,
    trouble: (what, error) => void troubles.push(`${what}: ${error}`),
    addRoutes: (routes) => addApiRoutes(routes, '0.0.0'),
  });
  t.after(async () => {
    await api.close();
    assert.deepEqual(troubles, [], 'the node had no trouble');
  });
  return { env: { STATECRON_URL: listener.url, STATECRON_TOKEN: token } };
}
