import type { Mutation } from './mutation.ts';

const notifications = 'test/store/notifications/notifications.test.ts';
const targets = 'test/store/notifications/notificationTargets.test.ts';
const mutes = 'test/store/notifications/mutes.test.ts';
const requests = 'test/exec/notifications/sendRequest.test.ts';

/** Who is told of what, how often, and to which addresses nothing goes: P23. */
export const notificationMutations: readonly Mutation[] = [
  {
    id: 'P23-notice-before-its-run',
    promise: 'P23',
    what: 'a notification is committed before the end that it tells of',
    file: 'src/store/notifications/insertNotifications.ts',
    find: 'orLeave}`, parameters);',
    replace: "orLeave}`, parameters);\n    await connection.query('COMMIT');",
    test: { file: notifications, title: 'a finish and its notification are one transaction' },
    why: 'people are told of a failure that the history does not know',
  },
  {
    id: 'P23-id-of-the-sender',
    promise: 'P23',
    what: 'each writer of a notification gives it an id of its own',
    file: 'src/domain/notifications/notificationId.ts',
    find: 'digestOf([subject, event, target])',
    replace: 'digestOf([subject, event, target, String(Math.random())])',
    test: {
      file: 'test/unit/policies/decideNotifications.test.ts',
      title: 'an id is the same for the same and another for anything else',
    },
    why: 'a receiver takes what was sent twice for two failures',
  },
  {
    id: 'P23-target-of-two',
    promise: 'P23',
    what: 'a node takes targets that another one sends to',
    file: 'src/store/notifications/delivery/takeNotifications.ts',
    find: 'OR holder.session_id IS NULL AS is_free',
    replace: 'OR 1 = 1 AS is_free',
    test: { file: targets, title: 'a target is one node’s until it lets go' },
    why: 'each notification is sent by every node',
  },
  {
    id: 'P23-target-of-the-dead',
    promise: 'P23',
    what: 'the target of a dead node stays its own until its lease runs out',
    file: 'src/store/notifications/delivery/takeNotifications.ts',
    find: '\n      OR holder.session_id IS NULL AS is_free',
    replace: ' AS is_free',
    test: { file: targets, title: 'a target is one node’s until it lets go' },
    why: 'what a killed node was about to send waits for a minute and a half',
  },
  {
    id: 'P23-sent-though-not',
    promise: 'P23',
    what: 'what could not be sent is written down as sent',
    file: 'src/store/notifications/delivery/takeNotifications.ts',
    find: 'const sent = tried.filter(({ outcome }) => outcome.sent);',
    replace: 'const sent = tried;',
    test: { file: targets, title: 'what cannot be sent is tried later, then given up' },
    why: 'a mail server that is away for a minute loses notices',
  },
  {
    id: 'P23-inside-by-number',
    promise: 'P23',
    what: 'an address that is written as a number is requested without a look at it',
    file: 'src/exec/notifications/sendRequest.ts',
    find: 'if (why !== null) throw',
    replace: 'if (why !== null && address !== host) throw',
    test: { file: requests, title: 'a listener on loopback hears nothing by the name' },
    why: 'who may edit a target has a node speak to itself and its network',
  },
  {
    id: 'P23-muted-later',
    promise: 'P23',
    what: 'what became due while it was muted is sent when the mute has ended',
    file: 'src/store/notifications/delivery/findMuted.ts',
    find: 'isMuted(seen, mutes, [one.sinceMs, one.nowMs])',
    replace: 'isMuted(seen, mutes, [one.nowMs])',
    test: { file: mutes, title: 'a failure of a muted job is recorded as muted' },
    why: 'an operator who ends a mute gets all that he did not want',
  },
];
