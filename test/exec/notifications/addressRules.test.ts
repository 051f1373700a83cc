import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddressRange } from '../../../src/domain/access/addressRanges.ts';
import { makeAddressRules } from '../../../src/exec/notifications/addressRules.ts';

const inside = {
  'this host': ['0.0.0.0', '127.0.0.1', '127.255.255.254', '::', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  'unique local': ['fc00::1', 'fdff::1'],
  'v4 in v6': [
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
    ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::'],
  ],
  metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'of no use': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '100::1'],
  multicast: ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  unassigned: ['240.0.0.1', '4000::1', 'e000::1'],
};

for (const [kind, addresses] of Object.entries(inside)) {
  test(`no ${kind} address is sent to`, () => {
    const rules = makeAddressRules();
    for (const address of addresses) assert.notEqual(rules.whyDenied(address), null, address);
  });
}

test('addresses outside are sent to', () => {
  const rules = makeAddressRules();
  const outside = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'];
  for (const address of outside) assert.equal(rules.whyDenied(address), null, address);
});

test('what is allowed by its range is sent to, and nothing beside it', () => {
  const rules = makeAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32']);
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd00:1::5']) {
    assert.equal(rules.whyDenied(address), null, address);
  }
  for (const address of ['10.2.0.1', '127.0.0.2', '169.254.169.254', 'fd00:2::1']) {
    assert.notEqual(rules.whyDenied(address), null, address);
  }
});

test('what is no address is nobody to send to, and no range', () => {
  assert.notEqual(makeAddressRules().whyDenied('example.com'), null);
  for (const range of ['example.com', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '']) {
    assert.notEqual(checkAddressRange(range), null, range);
  }
  assert.equal(checkAddressRange('10.0.0.0/8'), null);
});
