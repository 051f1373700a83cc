import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeReports } from '../../../src/actors/runtime/runtime.ts';
import { makeApiServer } from '../../../src/http/apiServer.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { startNode } from '../../../src/startNode.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { definitionOf } from '../../store/verify/assertAccounted.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until, within } from '../../support/until.ts';

const settings = {
  ...{ capacity: 10, concurrency: 2, horizonMs: 5_000, ttlMs: 45_000, drainTimeoutMs: 1_000 },
};

test('a node serves its API while it lives, and lets go of its port when it leaves', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const wishes = { name: 'ann', role: 'operator', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(world.channel, wishes);
  const http = { ...httpDefaults, port: 0 };
  const listener = await openListener(http, async () => true);
  assert.ok(listener);
  const troubles: string[] = [];
  let runs = 0;
  const node = startNode({
    database: readDatabaseUrl(world.url),
    nodeName: 'a',
    ...{ settings, threads: 1, version: '1.2.3', guardian: null },
    makeApi: (...args) => makeApiServer({ settings: http, listener }, ...args),
    reports: {
      ...reportsTo(troubles),
      runEnded: () => {
        runs += 1;
      },
    },
  });
  t.after(() => node.drain());
  const ask = async (path: string, token: string | null = secret): Promise<[number, string]> => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${listener.url}${path}`, { headers });
    return [response.status, await response.text()];
  };
  assert.equal((await ask('/livez', null))[0], 200);
  assert.equal((await ask('/metrics', null))[0], 401);
  assert.equal((await ask('/api/v1/machines/live', null))[0], 401);
  await until('it is ready', async () => (await ask('/readyz', null))[0] === 200, 120_000);
  await addJob(world.channel, definitionOf('job'));
  await until('a run has ended', () => runs > 0, 120_000);
  const [status, text] = await ask('/metrics');
  assert.equal(status, 200);
  assert.match(text, /^statecron_runs_total\{result="succeeded"\} [1-9]/m);
  const live = JSON.parse((await ask('/api/v1/machines/live'))[1]);
  const machines = live.actors.map(({ machine }: { machine: string }) => machine);
  assert.ok(machines.includes('committer'), String(machines));
  assert.equal((await ask('/openapi.json'))[0], 200);
  node.drain();
  assert.equal((await within('it leaves', node.ended, 120_000)).ending, 'left');
  await assert.rejects(ask('/livez', null), 'nobody listens any more');
  assert.deepEqual(troubles, []);
});

function reportsTo(troubles: string[]): NodeReports {
  return {
    serving: () => undefined,
    draining: () => undefined,
    waitingForName: () => undefined,
    runEnded: () => undefined,
    batchEnded: () => undefined,
    trouble: (what, error) => troubles.push(`${what}: ${error}`),
  };
}
