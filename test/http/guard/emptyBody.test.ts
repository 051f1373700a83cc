import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileScope } from '../../support/testEngine.ts';
import { makeRouteWorld } from '../world/routeWorld.ts';

const world = await makeRouteWorld(fileScope);
const routes = world.routes.filter(({ method, path }) =>
  world.description.operations.some(
    (each) => each.method === method && each.path === path && isOptional(each),
  ),
);

function isOptional({ body, isBodyRequired }: { body: object | null; isBodyRequired: boolean }) {
  return body !== null && !isBodyRequired;
}

/** What curl and other clients send when they have nothing to say. */
const waysToSendNothing = {
  'a type and no body': { 'content-type': 'application/json' },
  'a type and a body of no bytes': {
    ...{ 'content-type': 'application/json; charset=utf-8', 'content-length': '0' },
  },
  'neither a type nor a body': {},
};

test('routes whose body may be left out are known', () => {
  const names = routes.map(({ path }) => path.split('/').at(-1)).sort();
  assert.deepEqual(names, [
    ...['cordon', 'drain', 'follow', 'live', 'pause', 'retry', 'run', 'skip-next', 'stop'],
  ]);
});

describe('a body that may be left out may be empty, too', () => {
  for (const route of routes) {
    for (const [way, headers] of Object.entries(waysToSendNothing)) {
      test(`${route.path} takes ${way}`, async () => {
        const { method, path } = world.sample(route, await world.makeThings());
        const answer = await world.askAs('admin', { method, path, headers });
        // The run of the sample has ended, and its node is gone: the body was read before that.
        const isFine =
          answer.status < 300 || /^(run_ended|node_missing)$/.test(`${answer.json?.code}`);
        assert.ok(isFine, `${answer.status} ${answer.text}`);
      });
    }
  }
});

test('a body that is needed is asked for', async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await world.askAs('admin', { method: 'POST', path: '/api/v1/jobs', headers });
  assert.equal(answer.status, 400);
  assert.equal(answer.json.code, 'malformed');
});
