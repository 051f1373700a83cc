import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { checkFields } from '../../../src/domain/job/checkFields.ts';
import { checkTogether } from '../../../src/domain/job/checkTogether.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { NotifyPolicy } from '../../../src/domain/job/jobPolicies.ts';
import {
  checkNotificationTarget,
  type NotificationTarget,
} from '../../../src/domain/notifications/notificationTarget.ts';
import {
  restTargetMs,
  retryNotificationMs,
} from '../../../src/domain/notifications/retryNotification.ts';

const mail: NotificationTarget = {
  name: 'ops',
  kind: 'mail',
  address: 'ops@example.com',
  secret: null,
  events: ['failure'],
  longMs: null,
  minuteMax: 10,
};
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const hook: NotificationTarget = {
  ...mail,
  ...{ name: 'hook', kind: 'webhook', address: 'https://hooks.example.com/x?y=1', secret },
};
const ping: NotificationTarget = { ...hook, kind: 'ping', secret: null, events: [] };

test('targets of each kind are sound', () => {
  for (const target of [mail, hook, ping]) assert.deepEqual(checkNotificationTarget(target), []);
});

const wrong: [string, NotificationTarget][] = [
  ['name', { ...mail, name: '../etc' }],
  ['name', { ...mail, name: 'a\nb' }],
  ['address', { ...mail, address: 'ops@example.com\r\nBcc: all@example.com' }],
  ['address', { ...mail, address: 'a@example.com, b@example.com' }],
  ['address', { ...mail, address: '"Ops" <ops@example.com>' }],
  ['address', { ...mail, address: 'nobody' }],
  ['address', { ...hook, address: 'file:///etc/passwd' }],
  ['address', { ...hook, address: 'gopher://example.com/' }],
  ['address', { ...hook, address: 'https://user:password@example.com/' }],
  ['address', { ...hook, address: 'https://example.com/\r\nX: y' }],
  ['address', { ...hook, address: 'https://example.com/#part' }],
  ['address', { ...hook, address: `https://example.com/${'x'.repeat(2_000)}` }],
  ['secret', { ...hook, secret: null }],
  ['secret', { ...hook, secret: 'whsec_c2hvcnQ=' }],
  ['secret', { ...mail, secret }],
  ['events', { ...ping, events: ['failure'] }],
  ['longMs', { ...mail, events: ['long-running'] }],
  ['longMs', { ...mail, longMs: 0 }],
  ['minuteMax', { ...mail, minuteMax: 0 }],
];

test('what is wrong with a target is found, and in which field', () => {
  for (const [field, target] of wrong) {
    const faults = checkNotificationTarget(target).map((fault) => fault.field);
    assert.ok(faults.includes(field as (typeof faults)[number]), `${field}: ${target.address}`);
  }
});

function faultsOf(notify: NotifyPolicy) {
  const definition = { ...jobDefaults, notify };
  return [...checkFields(definition, 'node'), ...checkTogether(definition, 'node')];
}

test('what a job says of whom it tells is whole, or found fault with', () => {
  const sound = [
    { on: ['failure' as const], to: ['ops'] },
    { on: [], to: [], ping: ['check'] },
    { on: ['long-running' as const], to: ['ops'], longMs: 1_000 },
  ];
  for (const notify of sound) assert.deepEqual(faultsOf(notify), []);
  const faulty = [
    { on: ['failure' as const], to: [] },
    { on: [], to: ['ops'] },
    { on: ['failure' as const], to: ['ops'], longMs: 1_000 },
    { on: ['long-running' as const], to: ['ops'] },
    { on: ['long-running' as const], to: ['ops'], longMs: 10 },
    { on: ['failure' as const], to: ['a b'] },
    { on: ['failure' as const], to: ['ops'], ping: ['ops'] },
    { on: ['failure' as const], to: Array.from({ length: 11 }, (_, n) => `ops${n}`) },
  ];
  for (const notify of faulty) assert.notDeepEqual(faultsOf(notify), []);
});

test('pauses before another try double, have jitter and are bounded', () => {
  assert.deepEqual(
    [0, 1, 2].map((tries) => retryNotificationMs(tries, 1)),
    [5_000, 10_000, 20_000],
  );
  assert.equal(retryNotificationMs(0, 0), 2_500);
  assert.equal(retryNotificationMs(1_000, 1), 3_600_000);
  assert.equal(restTargetMs(1_000, 1), 300_000);
});
