import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { ClientReader, ownAddresses } from '../../../src/http/authentication/client.ts';
import type { ProxySettings } from '../../../src/http/server/proxySettings.ts';

const people = {
  ...{ userHeader: 'X-Forwarded-User', groupsHeader: null, secret: null },
  ...{ rights: [], defaultRole: 'viewer' as const },
};
const from = ['192.0.2.0/24', '2001:db8::/64'];

function read(peer: string, headers: readonly string[], proxy: ProxySettings = { from, people }) {
  const request = { socket: { remoteAddress: peer }, rawHeaders: headers };
  return new ClientReader(proxy).read(request as unknown as IncomingMessage);
}

const alice = ['X-Forwarded-User', 'alice'];

test('a proxy is known by its address, in each form of it and in no other', () => {
  const trusted = ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.255', '2001:db8::7'];
  for (const peer of [...trusted, '2001:db8::7%eth0']) {
    assert.deepEqual(read(peer, alice).person?.names, ['alice'], peer);
  }
  const others = [
    ...['192.0.3.1', '::ffff:192.0.3.1', '2001:db8:0:1::7', '::ffff:c000:201', '::192.0.2.1'],
    ...['::ffff:0:192.0.2.1', '64:ff9b::192.0.2.1', '', 'unknown', '192.0.2.1.evil.test'],
  ];
  for (const peer of others) assert.equal(read(peer, alice).person, null, peer);
  // A range of IPv6 is none of IPv4, not even the widest.
  const wide = { from: ['::/0'], people };
  for (const peer of ['203.0.113.1', '::ffff:203.0.113.1']) {
    assert.equal(read(peer, alice, wide).person, null, peer);
  }
});

test('no address of this machine is proof enough without a secret', () => {
  const all = { from: ['0.0.0.0/0', '::/0'], people };
  for (const peer of [...ownAddresses(), '127.0.0.1', '127.3.4.5', '::ffff:127.0.0.1', '::1']) {
    assert.equal(read(peer, alice, all).person, null, peer);
    assert.notEqual(read(peer, ['X-Forwarded-For', '203.0.113.9'], all).address, peer);
  }
});

const clients: Record<string, string> = {
  '': '192.0.2.1',
  '203.0.113.5': '203.0.113.5',
  '::ffff:203.0.113.5': '203.0.113.5',
  '203.0.113.5:4711': '203.0.113.5',
  '[2001:db8:1::5]:4711': '2001:db8:1::5',
  '[2001:db8:1::5]': '2001:db8:1::5',
  '2001:db8:1::5': '2001:db8:1::5',
  // The last that is no proxy, whatever is written before it.
  '10.9.9.9, 203.0.113.5': '203.0.113.5',
  '127.0.0.1, 203.0.113.5, 192.0.2.9, 192.0.2.8': '203.0.113.5',
  '203.0.113.5, unknown, 192.0.2.9': '192.0.2.9',
  unknown: '192.0.2.1',
  '_hidden, <script>': '192.0.2.1',
  '192.0.2.9': '192.0.2.9',
};

for (const [forwarded, address] of Object.entries(clients)) {
  test(`the client of "${forwarded}" is ${address}`, () => {
    assert.equal(read('192.0.2.1', ['x-forwarded-for', forwarded]).address, address);
  });
}

test('of a request with more headers than Node keeps nothing is believed', () => {
  const many = Array.from({ length: 1_000 }, () => ['x', '1']).flat();
  const lines = ['X-Forwarded-For', '203.0.113.5', ...alice, ...many];
  assert.deepEqual(read('192.0.2.1', lines), { address: '192.0.2.1', person: null });
  assert.notEqual(read('192.0.2.1', lines.slice(0, 1_990)).person, null);
});

test('several lines of X-Forwarded-For are one list, and of no proxy they are none', () => {
  const lines = ['X-Forwarded-For', '10.0.0.1', 'X-FORWARDED-FOR', '203.0.113.5'];
  assert.equal(read('192.0.2.1', lines).address, '203.0.113.5');
  assert.equal(read('203.0.113.99', lines).address, '203.0.113.99');
  assert.equal(read('192.0.2.1', lines, { from, people: null }).person, null);
});
