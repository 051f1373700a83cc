import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readProxy } from '../../../src/cli/options/proxyOptions.ts';
import { OperatorError } from '../../../src/domain/errors/errors.ts';

type Flags = Partial<Parameters<typeof readProxy>[0]>;

const none = {
  ...{ proxyFrom: undefined, proxyUserHeader: undefined, proxyGroupsHeader: undefined },
  ...{ proxyRole: undefined, proxyUser: undefined, proxyDefaultRole: undefined },
  proxySecretFile: undefined,
};
const read = (flags: Flags) => readProxy({ ...none, ...flags });
const base = { proxyFrom: ['198.51.100.7', '2001:db8::/64'], proxyUserHeader: 'Remote-User' };

test('without a proxy nothing is believed, and an address alone names nobody', () => {
  assert.equal(read({}), null);
  assert.deepEqual(read({ proxyFrom: ['127.0.0.1'] }), { from: ['127.0.0.1'], people: null });
});

test('a role is given to groups and users whose names have all that names may have', () => {
  const flags = {
    ...{ ...base, proxyGroupsHeader: 'Remote-Groups', proxyDefaultRole: 'viewer' },
    proxyRole: ['admins=admin', 'cn=dev=operator:web,shop', 'a:b=viewer:g=admin'],
    proxyUser: ['erin@example.org=admin'],
  };
  assert.deepEqual(read(flags)?.people, {
    ...{ userHeader: 'Remote-User', groupsHeader: 'Remote-Groups', secret: null },
    rights: [
      { of: 'group', name: 'admins', role: 'admin', groups: null },
      { of: 'group', name: 'cn=dev', role: 'operator', groups: ['web', 'shop'] },
      { of: 'group', name: 'a:b', role: 'viewer', groups: ['g=admin'] },
      { of: 'user', name: 'erin@example.org', role: 'admin', groups: null },
    ],
    defaultRole: 'viewer',
  });
});

const wrong: [Flags, RegExp][] = [
  [{ proxyUserHeader: 'X-User' }, /--proxy-user-header: it needs --proxy-from/],
  [{ proxyRole: ['a=admin'] }, /--proxy-role: it needs --proxy-from/],
  [
    { proxyFrom: ['10.0.0.1'], proxyUser: ['a=admin'] },
    /--proxy-user: it needs --proxy-user-header/,
  ],
  [{ proxyFrom: ['localhost'] }, /--proxy-from: "localhost" is no address/],
  [{ proxyFrom: ['10.0.0.0/33'] }, /--proxy-from: .* is no address/],
  [{ proxyFrom: ['::ffff:10.0.0.1'] }, /--proxy-from: write an address of IPv4/],
  [{ ...base, proxyUserHeader: 'X_User' }, /--proxy-user-header: the name of a header/],
  [{ ...base, proxyUserHeader: 'Authorization' }, /--proxy-user-header: the name of a header/],
  [{ ...base, proxyGroupsHeader: 'remote-user' }, /--proxy-groups-header: .* another/],
  [{ ...base, proxyRole: ['a=admin'] }, /--proxy-role: groups need their header/],
  [{ ...base, proxyUser: ['a=root'] }, /--proxy-user: write NAME=ROLE/],
  [{ ...base, proxyUser: ['=admin'] }, /--proxy-user: write NAME=ROLE/],
  [{ ...base, proxyUser: ['a'] }, /--proxy-user: write NAME=ROLE/],
  [{ ...base, proxyUser: ['a=operator:'] }, /--proxy-user: a name is empty/],
  [{ ...base, proxyDefaultRole: 'root' }, /--proxy-default-role: viewer, operator, admin/],
  [{ ...base, proxySecretFile: '/nowhere' }, /secret of the proxy cannot be used/],
  [{ ...base, proxyFrom: ['127.0.0.1'] }, /an address of this machine/],
  [{ ...base, proxyFrom: ['10.0.0.1', '0.0.0.0/0'] }, /an address of this machine/],
  [{ ...base, proxyFrom: ['::1'] }, /an address of this machine/],
  [{ ...base, proxyFrom: ['127.5.0.0/16'] }, /an address of this machine/],
];

for (const [flags, message] of wrong) {
  test(`${JSON.stringify(flags)} is refused`, () => {
    assert.throws(
      () => read(flags),
      (error) => error instanceof OperatorError && message.test(error.message),
    );
  });
}

test('the secret is the first line of a file, and long enough', (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'statecron-proxy-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const readWith = (text: string) => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, text, { mode: 0o600 });
    return read({ ...base, proxyFrom: ['127.0.0.1'], proxySecretFile: file })?.people?.secret;
  };
  assert.equal(readWith(`${'x'.repeat(32)}\n`), 'x'.repeat(32));
  for (const text of ['changeme', 'x'.repeat(31), `${'x'.repeat(40)} y`]) {
    assert.throws(() => readWith(text), /--proxy-secret-file: at least 32/);
  }
});
