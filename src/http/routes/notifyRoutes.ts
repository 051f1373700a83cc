import {
  makeWebhookSecret,
  minuteDefaults,
} from '../../domain/notifications/notificationTarget.ts';
import type { notificationContract } from '../contract/notificationContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { withoutUndefined } from './handling/badField.ts';

export const notifyRoutes: Handlers<typeof notificationContract> = {
  'GET /notify/targets': async (_, c) => ({
    items: await c.var.operate((operator) => operator.listNotificationTargets()),
  }),
  'POST /notify/targets': async ({ secret: given, events = [], longMs = null, ...wanted }, c) => {
    const { kind, name } = wanted;
    const made = kind === 'webhook' && given === undefined ? makeWebhookSecret() : null;
    const minuteMax = wanted.minuteMax ?? minuteDefaults[kind];
    const target = { ...wanted, secret: given ?? made, events, longMs, minuteMax };
    await c.var.operate((operator) => operator.addNotificationTarget(target));
    return { name, secret: made };
  },
  'PATCH /notify/targets/{target}': ({ target, ...change }, c) =>
    c.var.operate((operator) => operator.editNotificationTarget(target, withoutUndefined(change))),
  'DELETE /notify/targets/{target}': ({ target }, c) =>
    c.var.operate((operator) => operator.removeNotificationTarget(target)),
  'POST /notify/targets/{target}/test': ({ target }, c) =>
    c.var.operate((operator) => operator.testNotificationTarget(target)),
  'POST /notify/targets/{target}/retry': ({ target }, c) =>
    c.var.operate((operator) => operator.retryNotifications(target)),
  'GET /notify/log': async ({ target = null, limit: notificationsMax = 50 }, c) => {
    const query = { target, notificationsMax };
    return { items: await c.var.operate((operator) => operator.listNotifications(query)) };
  },
};
