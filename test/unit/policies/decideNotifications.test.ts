import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotifyPolicy } from '../../../src/domain/job/jobPolicies.ts';
import type { NotificationEvent } from '../../../src/domain/notifications/notification.ts';
import {
  digestId,
  notificationId,
  pingRunId,
} from '../../../src/domain/notifications/notificationId.ts';
import {
  type LaunchEnd,
  type NotificationRules,
  notificationsOfEnd,
  notificationsOfLostNode,
  notificationsOfMissed,
  notificationsOfStart,
} from '../../../src/domain/policies/decideNotifications.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';

const all: NotificationEvent[] = ['failure', 'recovery', 'missed', 'long-running', 'node-lost'];
const job: { notify: NotifyPolicy } = {
  notify: { on: all, to: ['ops'], longMs: 5_000, ping: ['check'] },
};
const silent = {};
const end = (result: LaunchEnd['result'], more: Partial<LaunchEnd> = {}): LaunchEnd => ({
  ...{ result, reason: null, isFinal: true, wasFailing: false },
  ...more,
});
const shown = (told: readonly { target: string; event: string }[]) =>
  told.map(({ target, event }) => `${target}:${event}`).sort();

test('a job that names nobody tells nobody, unless somebody is told of every job', () => {
  assert.deepEqual(notificationsOfEnd(silent, [], end('failed')), []);
  assert.deepEqual(notificationsOfStart(silent, []), []);
  const rules: NotificationRules = [{ target: 'hook', events: ['failure'], longMs: null }];
  assert.deepEqual(shown(notificationsOfEnd(silent, rules, end('failed'))), ['hook:failure']);
  assert.deepEqual(shown(notificationsOfEnd(silent, rules, end('succeeded'))), []);
});

test('a failure is told when it is for good, and a ping hears every end', () => {
  const ends: [LaunchEnd, string[]][] = [
    [end('failed'), ['check:failure', 'ops:failure']],
    [end('timed_out'), ['check:failure', 'ops:failure']],
    [end('failed', { isFinal: false }), []],
    [end('stopped'), ['check:failure']],
    [
      end('stopped', { reason: reasons.nodeStopped('web1', 30_000) }),
      ['check:failure', 'ops:failure'],
    ],
    [end('succeeded'), ['check:success']],
    [end('succeeded', { wasFailing: true }), ['check:success', 'ops:recovery']],
    [end('failed', { wasFailing: true }), ['check:failure', 'ops:failure']],
  ];
  for (const [happened, expected] of ends) {
    assert.deepEqual(
      shown(notificationsOfEnd(job, [], happened)),
      expected,
      JSON.stringify(happened),
    );
  }
});

test('a lost run is told to each target once, as that or as the failure it is', () => {
  assert.deepEqual(shown(notificationsOfEnd(job, [], end('lost'))), [
    'check:failure',
    'ops:node-lost',
  ]);
  const again = end('lost', { isFinal: false });
  assert.deepEqual(shown(notificationsOfEnd(job, [], again)), ['ops:node-lost']);
  const rules: NotificationRules = [
    { target: 'ops', events: ['failure'], longMs: null },
    { target: 'hook', events: ['failure', 'node-lost'], longMs: null },
  ];
  const told = shown(notificationsOfEnd(job, rules, end('lost')));
  assert.deepEqual(told, ['check:failure', 'hook:failure', 'ops:node-lost']);
  assert.deepEqual(shown(notificationsOfLostNode(rules)), ['hook:node-lost']);
});

test('the shortest time after which a run is long is the one that counts', () => {
  const rules: NotificationRules = [
    { target: 'ops', events: ['long-running'], longMs: 3_000 },
    { target: 'hook', events: ['long-running'], longMs: 60_000 },
  ];
  assert.deepEqual(notificationsOfStart(job, rules), [
    { target: 'check', event: 'start', delayMs: 0 },
    { target: 'ops', event: 'long-running', delayMs: 3_000 },
    { target: 'hook', event: 'long-running', delayMs: 60_000 },
  ]);
});

test('a target that is named by the job and told of every job hears of a missed tick once', () => {
  const rules: NotificationRules = [{ target: 'ops', events: ['missed'], longMs: null }];
  assert.deepEqual(notificationsOfMissed(job, rules), [{ target: 'ops', event: 'missed' }]);
});

test('an id is the same for the same and another for anything else', () => {
  const one = { subject: 's:1', event: 'failure', target: 'ops' } as const;
  assert.equal(notificationId(one), notificationId({ ...one }));
  const others = [
    notificationId({ ...one, subject: 's:2' }),
    notificationId({ ...one, event: 'recovery' }),
    notificationId({ ...one, target: 'hook' }),
    digestId('ops', [notificationId(one)]),
  ];
  assert.equal(new Set([notificationId(one), ...others]).size, 5);
  assert.match(notificationId(one), /^ntc_[0-9a-f]{32}$/);
  assert.match(
    pingRunId('s:1'),
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
