import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw } from '../../world/askRaw.ts';
import { requestText, sendRaw } from '../../world/rawRequest.ts';
import { makeRouteWorld } from '../../world/routeWorld.ts';
import { fillPath } from '../../world/sampleRequest.ts';
import { tableChecksums } from '../../world/tableChecksums.ts';
import type { RouterRoute } from '../../world/wholeApi.ts';

const world = await makeRouteWorld(fileScope);
const { origin, routes } = world;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Other ways to write a path, of which some peers' guards knew only the first. */
function spellingsOf(path: string): string[] {
  const [head = '', tail = ''] = [path.slice(0, 2), path.slice(2)];
  const letter = `%${path.charCodeAt(1).toString(16)}`;
  return [
    ...[`/${path}`, `///${path}`, path.replaceAll('/', '//'), `${path}/`, `${path}//`],
    ...[`/.${path}`, `/x/..${path}`, `/%2e${path}`, `/x/%2e%2e${path}`, `/x/%2E.${path}`],
    ...[`/livez/..${path}`, `/livez/%2e%2e${path}`, `/docs/../..${path}`, `${path}/.`],
    ...[`${path}/x/..`, `${path}%2f`, `${path}%00`, `${path}%20`, `${path};a=b`, `${path}.json`],
    ...[`${path}/configs`, `${path}?`, `${path}?_method=DELETE`, `${path}?access_token=x`],
    ...[path.toUpperCase(), `/${letter}${tail}`, `${head}${tail.replaceAll('/', '%2f')}`],
    ...[path.replaceAll('/', '\\'), `${path}#x`, `http://localhost${path}`],
  ];
}

/** Each path that the router knows, once, with what it may be asked by. */
const paths = new Map<string, RouterRoute[]>();
for (const route of routes) {
  const path = fillPath(route.path, world.things);
  paths.set(path, [...(paths.get(path) ?? []), route]);
}

const rundeck =
  'Rundeck CVE-2023-48222 GHSA-phmw-jx86-x666, CVE-2023-47112 GHSA-xvmv-4rx6-x6jx, CVE-2021-41112';
describe(`${rundeck}, GHSA-5679-7qrc-5m7j, Kestra CVE-2026-53576: by another URL`, () => {
  test('nobody gets to a route that is not for everybody', async () => {
    for (const { method, path, role } of routes) {
      if (role === 'anyone') continue;
      for (const spelling of spellingsOf(fillPath(path, world.things))) {
        const { status, text } = await sendRaw(origin, requestText(`${method} ${spelling}`));
        // What is no request at all is refused before anybody asks whose it is.
        assert.ok(status === 401 || status === 400, `${method} ${spelling}: ${status} ${text}`);
      }
    }
  });

  test('a viewer gets no further than by the usual one, and changes nothing', async () => {
    const before = await tableChecksums(world);
    for (const { method, path, role } of routes) {
      if (role !== 'operator' && role !== 'admin') continue;
      for (const spelling of spellingsOf(fillPath(path, world.things))) {
        const { status, text } = await sendAs('viewer', method, spelling);
        const isRefused = [400, 401, 403, 404, 405].includes(status);
        assert.ok(isRefused, `${method} ${spelling}: ${status} ${text}`);
      }
    }
    assert.deepEqual(await tableChecksums(world), before);
  });
});

test('Rundeck CVE-2023-47112: a method that a path has not is refused, whoever asks', async () => {
  const before = await tableChecksums(world);
  for (const [path, known] of paths) {
    const allowed = new Set(known.map(({ method }) => method));
    if (allowed.has('GET')) allowed.add('HEAD');
    for (const method of methods.filter((each) => !allowed.has(each))) {
      const told = `${method} ${path}`;
      assert.equal((await sendRaw(origin, requestText(told))).status, 401, told);
      const { status, text } = await sendAs('admin', method, path);
      assert.equal(status, 405, told);
      const list = /^allow: (.*)\r$/im.exec(text)?.[1]?.split(', ') ?? [];
      assert.deepEqual(list.sort(), [...allowed].sort(), told);
    }
  }
  assert.deepEqual(await tableChecksums(world), before);
});

/** As a client that sends the target just as it is written. */
async function sendAs(kind: 'viewer' | 'admin', method: string, target: string) {
  const headers = ['Host: localhost', `Authorization: Bearer ${world.tokenOf(kind)}`];
  const isSafe = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'].includes(method);
  if (isSafe) return sendRaw(origin, requestText(`${method} ${target}`, headers));
  headers.push('Content-Type: application/json', 'Content-Length: 2', 'If-Match: *');
  return sendRaw(origin, requestText(`${method} ${target}`, headers, '{}'));
}

test('Rundeck CVE-2021-41112: no header and no parameter makes another method of one', async () => {
  const before = await tableChecksums(world);
  const names = ['x-http-method-override', 'x-http-method', 'x-method-override', '_method'];
  const headers = Object.fromEntries(names.map((name) => [name, 'DELETE']));
  for (const [path, known] of paths) {
    if (!known.some(({ method }) => method === 'DELETE')) continue;
    const token = world.tokenOf('admin');
    for (const query of ['', '?_method=DELETE', '?method=DELETE&_method=DELETE']) {
      const target = `${path}${query}`;
      const got = await askRaw(origin, { method: 'GET', path: target, headers, token });
      assert.ok([200, 405, 422].includes(got.status), `GET ${target}: ${got.text}`);
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      const body = '_method=DELETE';
      const sent = await askRaw(origin, {
        ...{ method: 'POST', path: target, headers: form, body, token },
      });
      assert.ok([405, 415].includes(sent.status), `POST ${target}: ${sent.text}`);
    }
  }
  assert.deepEqual(await tableChecksums(world), before);
});

const dagu = 'dagu CVE-2026-27598, CVE-2026-31886';
test(`${dagu}: an id that is a way through folders is no id of anything`, async () => {
  const before = await withoutLocks();
  const ways = ['..', '.', '%2e%2e', '%2e', '%2e%2e%2f%2e%2e', '..%2f..%2ftmp', '%2ftmp', '%00'];
  ways.push('a%00', '..%5c..', '%252e%252e', '%c0%ae%c0%ae', '%2e%2e%00', '~', '*', '-rf', '%0a');
  const marked = routes.filter(({ path }) => path.includes('{'));
  assert.ok(marked.length >= 20);
  for (const { method, path } of marked) {
    // To make a group is to give it its name; every other name is looked up.
    if (method === 'PUT' && !path.includes('/jobs/')) continue;
    for (const way of ways) {
      const target = path.replace(/\{[A-Za-z]+\}/, way).replaceAll(/\{[A-Za-z]+\}/g, '1');
      const { status, text } = await sendAs('admin', method, target);
      const isAnotherPath = way === '.' || way === '..' || /^(%2e)+$/.test(way);
      const refused = isAnotherPath ? [200, 308, 400, 404, 405, 422] : [400, 404, 405, 422, 428];
      assert.ok(refused.includes(status) || isNothing(target, status), `${target}: ${text}`);
    }
  }
  assert.deepEqual(await withoutLocks(), before);
});

/** Who finds under the lock that there is nothing to do has taken the lock, which writes it. */
async function withoutLocks(): Promise<object> {
  const { lock_row: _, ...others } = await tableChecksums(world);
  return others;
}

/** To take away what is not there is done at once, and says that nothing was. */
function isNothing(target: string, status: number): boolean {
  return status === 200 && /^\/api\/v1\/(limits|nodes)\//.test(target);
}
