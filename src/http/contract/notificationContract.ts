import { z } from '@hono/zod-openapi';
import { muteKinds } from '../../domain/notifications/mute.ts';
import { notificationEvents, notificationStates } from '../../domain/notifications/notification.ts';
import { targetBounds, targetKinds } from '../../domain/notifications/notificationTarget.ts';
import { muteSchema, muteTime } from '../schemas/muteSchema.ts';
import {
  alike,
  answerSchema,
  inputSchema,
  isoInstant,
  nameText,
  timeText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const name = z.string();
const events = z.array(z.enum(notificationEvents)).max(notificationEvents.length);
const address = z.string().min(1).max(targetBounds.addressCharactersMax);
const longMs = z.int().min(targetBounds.longMsMin).max(targetBounds.longMsMax).nullable();
const minuteMax = z.int().min(1).max(targetBounds.minuteMax);
const secret = z.string().max(128);

const targetOptions = inputSchema('NotificationTargetOptions', {
  name: z.string().min(1).max(targetBounds.nameCharactersMax),
  kind: z.enum(targetKinds),
  address: address.describe('A mail address, or a URL.'),
  secret: secret
    .optional()
    .describe(
      '`whsec_…`, which webhooks are signed with. Default: a new one, shown in the answer.',
    ),
  events: events.optional().describe('The events of all jobs that it is notified of.'),
  longMs: longMs.optional().describe('For the event `long-running`: after how many ms.'),
  minuteMax: minuteMax
    .optional()
    .describe('About how many messages a minute; more are sent together.'),
});

const target = z.object({
  name,
  kind: z.enum(targetKinds),
  address: z.string(),
  events,
  longMs: z.int().nullable(),
  ...alike(z.int(), 'minuteMax', 'waiting', 'givenUp'),
  lastSentAt: isoInstant.nullable(),
  lastError: z.string().nullable(),
});

const state = z.enum(notificationStates);

const notification = z.object({
  ...alike(z.string(), 'id', 'target', 'event'),
  state,
  facts: z.looseObject({
    ...alike(z.string().optional(), 'job', 'group', 'node', 'launchId', 'result'),
    counts: z
      .record(z.string(), z.int())
      .optional()
      .describe('Of one that stands for many: how many of each event.'),
  }),
  ...alike(isoInstant, 'createdAt', 'dueAt'),
  endedAt: isoInstant.nullable(),
  tries: z.int(),
  lastError: z.string().nullable(),
});

const changedMute = answerSchema('MuteChanged', {
  kind: z.enum(muteKinds),
  name,
  mute: z.object(muteTime).nullable().describe('Null: it is not muted.'),
  changed: z.boolean().describe('False: it was like this already.'),
});
export type ChangedMuteView = Shown<typeof changedMute>;

/** For admins of the whole cluster only: an address may be as good as a password. */
const base = { role: 'admin', scope: 'cluster', tag: 'notify' } as const;

export const notificationContract = {
  'GET /notify/targets': {
    ...{ ...base, id: 'listNotificationTargets' },
    summary: 'List the notification targets and the state of each',
    answers: 'All targets, without their secrets.',
    answer: answerSchema('NotificationTargetList', { items: z.array(target) }),
  },
  'POST /notify/targets': {
    ...{ ...base, id: 'addNotificationTarget', kept: 'secret' },
    summary: 'Add a notification target',
    body: targetOptions,
    ...{ status: 201, answers: 'The target is added.' },
    answer: answerSchema('NotificationTargetAdded', {
      name,
      secret: z
        .string()
        .nullable()
        .describe('The new secret, shown only once; null: none was made.'),
    }),
  },
  'PATCH /notify/targets/{target}': {
    ...{ ...base, id: 'editNotificationTarget' },
    summary: 'Change a notification target',
    body: z
      .strictObject({ address, secret, events, longMs, minuteMax })
      .partial()
      .openapi('NotificationTargetChange'),
    ...{ answers: 'The target is changed.', answer: z.object({ name, changed: z.boolean() }) },
  },
  'DELETE /notify/targets/{target}': {
    ...{ ...base, id: 'removeNotificationTarget' },
    summary: 'Remove a notification target',
    description: 'No job may name it.',
    ...{ answers: 'The target is removed.', answer: z.object({ name, removed: z.boolean() }) },
  },
  'POST /notify/targets/{target}/test': {
    ...{ ...base, id: 'testNotificationTarget' },
    summary: 'Send a test notification',
    ...{
      status: 202,
      answers: 'A node will send it; the log shows the outcome.',
      answer: z.object({ name, id: z.string() }),
    },
  },
  'POST /notify/targets/{target}/retry': {
    ...{ ...base, id: 'retryNotifications' },
    summary: 'Retry failed notifications',
    ...{ answers: 'How many are sent again.', answer: z.object({ name, notifications: z.int() }) },
  },
  'GET /notify/mutes': {
    ...{ id: 'listMutes', role: 'viewer', tag: 'notify' },
    summary: 'List what is muted',
    description: 'Muted targets are shown to admins of the whole cluster.',
    answers: 'What is muted now, as far as the token may see it.',
    answer: answerSchema('MuteList', { items: z.array(muteSchema) }),
  },
  'PUT /notify/mutes/{kind}/{name}': {
    ...{ id: 'mute', role: 'operator', tag: 'notify' },
    summary: 'Mute the notifications of a job, of a group of jobs or to a target',
    description:
      'What becomes due until then is recorded as `muted` and never sent. A repeat moves the ' +
      'end. A target is for admins of the whole cluster to mute.',
    body: inputSchema('Mute', {
      until: timeText.describe('An ISO instant, or a time from now such as `2h`.'),
      note: z.string().max(500).optional().describe('Why, for people.'),
    }),
    ...{ answers: 'It is muted.', answer: changedMute },
  },
  'DELETE /notify/mutes/{kind}/{name}': {
    ...{ id: 'unmute', role: 'operator', tag: 'notify' },
    summary: 'End a mute',
    description: 'What was held back is not sent afterwards.',
    ...{ answers: 'It is not muted.', answer: changedMute },
  },
  'GET /notify/log': {
    ...{ ...base, id: 'listNotifications' },
    summary: 'List notifications',
    description: 'Sent, waiting, muted and failed ones, the newest first.',
    query: z.strictObject({
      target: nameText.optional().describe('Only those of this target.'),
      state: state.optional().describe('Only those in this state.'),
      limit: wholeNumber(1, 10_000).optional().describe('The most items.'),
    }),
    answers: 'The notifications that are kept.',
    answer: answerSchema('NotificationList', { items: z.array(notification) }),
  },
} as const satisfies Contract;
