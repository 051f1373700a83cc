import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileScope } from '../../support/testEngine.ts';
import { askRaw } from '../world/askRaw.ts';
import { makeWholeApi } from '../world/wholeApi.ts';

test('on a socket of IPv6 a proxy of IPv4 is known by its own address alone', async () => {
  const secret = 's'.repeat(32);
  const proxy = {
    from: ['127.9.0.0/16'],
    people: {
      ...{ userHeader: 'Remote-User', groupsHeader: null, secret },
      ...{ rights: [], defaultRole: 'viewer' as const },
    },
  };
  const world = await makeWholeApi(fileScope, { host: '::', proxy });
  const origin = `http://127.0.0.1:${new URL(world.origin).port}`;
  const statusFrom = async (from: string) => {
    const headers = { 'remote-user': 'alice', 'x-statecron-proxy-secret': secret };
    return (await askRaw(origin, { method: 'GET', path: '/api/v1/caller', from, headers })).status;
  };
  assert.equal(await statusFrom('127.9.0.1'), 200);
  assert.equal(await statusFrom('127.8.0.1'), 401);
});
