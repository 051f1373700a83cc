import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PeopleSettings } from '../../../../src/http/server/proxySettings.ts';
import { askCli } from '../../../cli/askCli.ts';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw, type RawRequest } from '../../world/askRaw.ts';
import { tableChecksums } from '../../world/tableChecksums.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const secret = 'a'.repeat(32);
const people: PeopleSettings = {
  ...{ userHeader: 'X-Forwarded-User', groupsHeader: 'X-Forwarded-Groups', secret },
  rights: [
    { of: 'group', name: 'admins', role: 'admin', groups: null },
    { of: 'group', name: 'web team', role: 'operator', groups: ['web'] },
    { of: 'group', name: 'shop team', role: 'operator', groups: ['shop', 'web'] },
    { of: 'group', name: 'readers', role: 'viewer', groups: null },
    { of: 'user', name: 'erin@example.org', role: 'operator', groups: null },
  ],
  defaultRole: null,
};
const world = await makeWholeApi(fileScope, { proxy: { from: ['127.9.0.0/16'], people } });
const { origin } = world;
const host = new URL(origin).host;
const proxy = '127.9.0.1';
const caller = { method: 'GET', path: '/api/v1/caller' };

type Headers = NonNullable<RawRequest['headers']>;

/** Sends what a proxy sends that somebody has logged in to. */
function askAs(user: string | readonly string[], request: Partial<RawRequest> = {}) {
  const { headers, ...rest } = request;
  const all = { host, 'x-forwarded-user': user, 'x-statecron-proxy-secret': secret, ...headers };
  return askRaw(origin, { from: proxy, ...caller, ...rest, headers: all as Headers });
}

const ofGroups = (groups: string | readonly string[]) => ({
  headers: { 'x-forwarded-groups': groups },
});

describe('whom a trusted proxy names', () => {
  test('may do what is given to him and to his groups, the highest of it', async () => {
    const cases: [string, string, string, readonly string[] | null][] = [
      ['alice', 'admins', 'admin', null],
      ['alice', 'readers, admins', 'admin', null],
      ['bob', 'web team', 'operator', ['web']],
      ['bob', 'web team,readers', 'operator', ['web']],
      ['bob', ' shop team ,web team', 'operator', ['shop', 'web']],
      ['carol', 'nobody,readers', 'viewer', null],
      ['erin@example.org', '', 'operator', null],
      ['erin@example.org', 'web team', 'operator', null],
      ['erin@example.org', 'admins', 'admin', null],
    ];
    for (const [name, list, role, groups] of cases) {
      const { json, status } = await askAs(name, ofGroups(list));
      const sorted = { ...json, groups: json.groups?.toSorted() ?? null };
      assert.deepEqual([status, sorted], [200, { name, role, groups }], `${name}: ${list}`);
    }
  });

  test('has no right when nothing is given to him', async () => {
    for (const list of [
      '',
      'Admins',
      'admins team',
      'admin',
      'xadmins',
      'web',
      'erin@example.org',
    ]) {
      const { json, status } = await askAs('dave', ofGroups(list));
      assert.deepEqual([status, json.code], [403, 'person_forbidden'], list);
    }
  });

  test('changes what he may, and the audit log has his name and address', async () => {
    const own = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    const json = { 'content-type': 'application/json' };
    const add = (group: string) =>
      askAs('Zoë', {
        ...{ method: 'POST', path: '/api/v1/jobs' },
        headers: {
          ...{ ...own, ...json, 'x-forwarded-groups': 'web team' },
          ...{ 'x-forwarded-user': Buffer.from('Zoë').toString('latin1') },
          'x-forwarded-for': '10.0.0.1, 198.51.100.7',
        },
        body: JSON.stringify({ name: `of-${group}`, cron: '@daily', command: 'true', group }),
      });
    assert.equal((await add('web')).status, 201);
    const refused = await add('shop');
    assert.deepEqual([refused.status, refused.json.code], [403, 'group_forbidden']);
    assert.doesNotMatch(refused.text, /token/);
    const rows = await world.rows('SELECT actor, via, address, target FROM audit_log');
    const row = { actor: 'Zoë', via: 'proxy', address: '198.51.100.7', target: 'of-web' };
    assert.deepEqual(rows, [row]);
    const { stdout } = await askCli(['audit'], { url: world.url });
    assert.match(stdout, /Zoë +198\.51\.100\.7, proxy +job\.add +of-web/);
  });

  test('is told of roles at the proxy when his is too low, and of no token', async () => {
    const { json, text } = await askAs('carol', { ...ofGroups('readers'), path: '/api/v1/audit' });
    assert.equal(json.detail, 'This request needs the role admin; you have the role viewer.');
    assert.match(json.hint, /--proxy-role/);
    assert.doesNotMatch(text, /token/);
    const refused = await askAs('bob', { ...ofGroups('web team'), path: '/api/v1/verify' });
    assert.equal(refused.json.code, 'group_forbidden');
    assert.doesNotMatch(refused.text, /token/);
  });

  test('counts before a token and a cookie that came as well', async () => {
    const { secret: token } = await world.token('admin');
    const request = { token, headers: { 'x-forwarded-groups': 'readers', cookie: 'statecron=x' } };
    const { json } = await askAs('carol', request);
    assert.deepEqual([json.name, json.role], ['carol', 'viewer']);
    assert.equal((await askAs('dave', { token })).status, 403);
  });

  test('opens streams, and is no more than anybody else on paths that are not there', async () => {
    const events = await askAs('carol', { ...ofGroups('readers'), path: '/api/v1/events' });
    assert.match(events.text, /stream\.live/);
    assert.equal((await askAs('carol', { ...ofGroups('readers'), path: '/no' })).status, 404);
  });
});

describe('a header that names somebody', () => {
  const given = { 'x-forwarded-user': 'alice', 'x-forwarded-groups': 'admins' };
  const withSecret = { ...given, 'x-statecron-proxy-secret': secret };
  const ignored: Record<string, { from?: string; headers: Record<string, unknown> }> = {
    'from an address of nobody': { from: '127.8.0.1', headers: withSecret },
    'from the address beside': { from: '127.10.0.1', headers: withSecret },
    'from somebody who says to be the proxy': {
      from: '127.8.0.1',
      headers: { ...withSecret, 'x-forwarded-for': proxy, 'x-real-ip': proxy, forwarded: proxy },
    },
    'without the secret': { headers: given },
    'with an empty secret': { headers: { ...given, 'x-statecron-proxy-secret': '' } },
    'with another secret': { headers: { ...given, 'x-statecron-proxy-secret': 'b'.repeat(32) } },
    'with half of the secret': {
      headers: { ...given, 'x-statecron-proxy-secret': 'a'.repeat(31) },
    },
    'with two secrets': {
      headers: { ...given, 'x-statecron-proxy-secret': [secret, 'b'.repeat(32)] },
    },
    'with two secrets in one': {
      headers: { ...given, 'x-statecron-proxy-secret': `${secret}, ${secret}` },
    },
    // Of so many headers Node 20 drops the last, which may be those that the proxy added.
    'before a thousand others': { headers: { host, ...withSecret, x: Array(1_100).fill('1') } },
    'with underscores': {
      headers: { x_forwarded_user: 'alice', 'x-statecron-proxy-secret': secret },
    },
    'by another name': {
      headers: {
        ...{ 'remote-user': 'alice', 'x-forwarded-user-': 'alice', 'x-user': 'alice' },
        ...{ 'x-forwarded-groups': 'admins', 'x-statecron-proxy-secret': secret },
      },
    },
    'that is empty': { headers: { ...withSecret, 'x-forwarded-user': '' } },
    'that is blank': { headers: { ...withSecret, 'x-forwarded-user': '  ' } },
  };
  for (const [how, { from = proxy, headers }] of Object.entries(ignored)) {
    test(`${how} is ignored`, async () => {
      const asked = { ...caller, from, headers: headers as Headers };
      const { json, status } = await askRaw(origin, asked);
      // Later releases of Node take no request with so many headers.
      if (status === 431 && how.includes('a thousand')) return;
      assert.deepEqual([status, json.code], [401, 'unauthenticated']);
      // A token that comes as well is worth what it always is.
      const { name, secret: token } = await world.token('viewer');
      assert.equal((await askRaw(origin, { ...asked, token })).json.name, name);
    });
  }

  const refused: Record<string, string | readonly string[]> = {
    'that came twice': ['alice', 'mallory'],
    'that came twice, once empty': ['', 'alice'],
    'with two names': 'alice, mallory',
    'of nobody, as Apache has it': '(null)',
    'that is no UTF-8': '\xff\xfe',
    'with a control character': 'al\tice',
    'with a line separator': Buffer.from('a\u2028b').toString('latin1'),
    'that is too long': 'x'.repeat(129),
  };
  for (const [how, user] of Object.entries(refused)) {
    test(`${how} is nobody's`, async () => {
      const { json, status, text } = await askAs(user, ofGroups('admins'));
      assert.deepEqual([status, json?.code], [403, 'person_forbidden'], text);
    });
  }

  test('with two lists of groups is nobody’s', async () => {
    const { json, status } = await askAs('bob', ofGroups(['readers', 'admins']));
    assert.deepEqual([status, json.code], [403, 'person_forbidden']);
  });
});

describe('a page of another site', () => {
  const admin = { 'x-forwarded-groups': 'admins' };
  const foreign: Record<string, Record<string, string>> = {
    'of another site': { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    'of the same site, another port': {
      origin: 'http://127.0.0.1:1',
      'sec-fetch-site': 'same-site',
    },
    'of a subdomain': { origin: `http://x.${host}` },
    'of https in front of http': { origin: `https://${host}` },
    'of a sandbox': { origin: 'null' },
    'that is not told': {},
    'with a lie in one header': { origin, 'sec-fetch-site': 'cross-site' },
    'that was typed in': { origin, 'sec-fetch-site': 'none' },
  };
  for (const [page, headers] of Object.entries(foreign)) {
    test(`${page} changes nothing in the name of who looks at it`, async () => {
      const before = await tableChecksums(world);
      for (const { method, path: pattern } of world.routes) {
        if (method === 'GET' || pattern === '/api/v1/login') continue;
        const path = pattern.replaceAll(/\{\w+\}/g, '1');
        const answer = await askAs('alice', { method, path, headers: { ...admin, ...headers } });
        const told = `${method} ${path}: ${answer.status} ${answer.text}`;
        assert.deepEqual([answer.status, answer.json?.code], [403, 'origin_forbidden'], told);
      }
      assert.deepEqual(await tableChecksums(world), before);
    });
  }

  test('reads nothing in the name of who looks at it', async () => {
    for (const { method, path: pattern, role } of world.routes) {
      if (method !== 'GET' || role === 'anyone') continue;
      const path = pattern.replaceAll(/\{\w+\}/g, '1');
      const headers = { ...admin, 'sec-fetch-site': 'cross-site' };
      const { json, status } = await askAs('alice', { path, headers });
      assert.deepEqual([status, json?.code], [403, 'origin_forbidden'], path);
    }
  });
});

test('wrong tokens count against the client that a trusted proxy names, no other', async () => {
  const codesOf = async (from: string, forwarded: (time: number) => string) => {
    const codes = new Set<string>();
    for (let time = 0; time < 12; time += 1) {
      const headers = { 'x-forwarded-for': forwarded(time), 'x-statecron-proxy-secret': secret };
      const asked = { ...caller, token: `wrong-${time}`, from, headers };
      codes.add((await askRaw(origin, asked)).json.code);
    }
    return [...codes].sort();
  };
  const both = ['too_many_failures', 'unauthenticated'];
  assert.deepEqual(await codesOf('127.9.0.2', () => '203.0.113.1'), both);
  // Another client of the same proxy is not told to wait, whoever it says to be.
  assert.deepEqual(await codesOf('127.9.0.2', (time) => `203.0.113.${time + 20}`), [
    'unauthenticated',
  ]);
  // What a client itself writes there stands before what the proxy adds.
  assert.deepEqual(await codesOf('127.9.0.2', (time) => `10.0.0.${time}, 203.0.113.2`), both);
  assert.deepEqual(await codesOf('127.8.0.2', (time) => `203.0.113.${time + 40}`), both);
});

test('the page is told that its reader needs no login, and only when it is so', async () => {
  const isMarked = async (user: string) => {
    const { status, text } = await askAs(user, { path: '/' });
    assert.ok(status === 200 || status === 404, text);
    return status === 404 ? null : text.includes('<html data-login="proxy"');
  };
  const [named, unnamed] = [await isMarked('alice'), await isMarked('')];
  if (named !== null) assert.deepEqual([named, unnamed], [true, false]);
});
