import { z } from '@hono/zod-openapi';
import { notificationEvents } from '../../domain/notifications/notification.ts';
import { targetBounds, targetKinds } from '../../domain/notifications/notificationTarget.ts';
import {
  alike,
  answerSchema,
  inputSchema,
  isoInstant,
  nameText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

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
    .describe('whsec_… to sign webhooks with; absent: a new one, in the answer.'),
  events: events.optional().describe('Which events of any job it gets.'),
  longMs: longMs.optional().describe('With long-running: how long, in ms.'),
  minuteMax: minuteMax.optional().describe('Messages a minute, about.'),
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

const notification = z.object({
  ...alike(z.string(), 'id', 'target', 'event'),
  state: z.enum(['waiting', 'sent', 'digested', 'dropped', 'given_up']),
  facts: z.looseObject({}),
  ...alike(isoInstant, 'createdAt', 'dueAt'),
  endedAt: isoInstant.nullable(),
  tries: z.int(),
  lastError: z.string().nullable(),
});

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
    ...{ status: 201, answers: 'It is added.' },
    answer: answerSchema('NotificationTargetAdded', {
      name,
      secret: z
        .string()
        .nullable()
        .describe('The new secret, shown only once; null: it was given, or there is none.'),
    }),
  },
  'PATCH /notify/targets/{target}': {
    ...{ ...base, id: 'editNotificationTarget' },
    summary: 'Change a notification target',
    body: z
      .strictObject({ address, secret, events, longMs, minuteMax })
      .partial()
      .openapi('NotificationTargetChange'),
    ...{ answers: 'Whether it was changed.', answer: z.object({ name, changed: z.boolean() }) },
  },
  'DELETE /notify/targets/{target}': {
    ...{ ...base, id: 'removeNotificationTarget' },
    summary: 'Remove a target that no job names',
    ...{ answers: 'It is removed.', answer: z.object({ name, removed: z.boolean() }) },
  },
  'POST /notify/targets/{target}/test': {
    ...{ ...base, id: 'testNotificationTarget' },
    summary: 'Send a test to a target',
    ...{ status: 202, answers: 'A node sends it.', answer: z.object({ name, id: z.string() }) },
  },
  'POST /notify/targets/{target}/retry': {
    ...{ ...base, id: 'retryNotifications' },
    summary: 'Retry the notifications that were given up',
    ...{ answers: 'How many are retried.', answer: z.object({ name, notifications: z.int() }) },
  },
  'GET /notify/log': {
    ...{ ...base, id: 'listNotifications' },
    summary: 'List notifications: sent, waiting, or failed; the newest first',
    query: z.strictObject({
      target: nameText.optional(),
      limit: wholeNumber(1, 10_000).optional(),
    }),
    answers: 'As far as they are kept.',
    answer: answerSchema('NotificationList', { items: z.array(notification) }),
  },
} as const satisfies Contract;
