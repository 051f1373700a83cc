import { minuteDefaults } from '../../domain/notifications/notificationTarget.ts';
import { makeWebhookSecret } from '../../domain/notifications/webhookSecret.ts';
import type { notificationContract } from '../contract/notificationContract.ts';
import { notificationView, targetView } from '../views/notificationView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { withoutUndefined } from './handling/withoutUndefined.ts';

export const notifyRoutes: Handlers<typeof notificationContract> = {
  'GET /notify/targets': async (_, c) => {
    const targets = await c.var.operate((operator) => operator.listNotificationTargets());
    return { items: targets.map(targetView) };
  },
  'POST /notify/targets': async ({ secret: given, events = [], longMs = null, ...wanted }, c) => {
    const { kind, name } = wanted;
    const made = kind === 'webhook' && given === undefined ? makeWebhookSecret() : null;
    const minuteMax = wanted.minuteMax ?? minuteDefaults[kind];
    const target = { ...wanted, secret: given ?? made, events, longMs, minuteMax };
    await c.var.operate((operator) => operator.addNotificationTarget(target));
    return { name, secret: made };
  },
  'PATCH /notify/targets/{target}': async ({ target: name, ...change }, c) => {
    const changed = await c.var.operate((operator) =>
      operator.editNotificationTarget(name, withoutUndefined(change)),
    );
    return { name, changed };
  },
  'DELETE /notify/targets/{target}': async ({ target: name }, c) => {
    await c.var.operate((operator) => operator.removeNotificationTarget(name));
    return { name, removed: true };
  },
  'POST /notify/targets/{target}/test': async ({ target: name }, c) => {
    return { name, id: await c.var.operate((operator) => operator.testNotificationTarget(name)) };
  },
  'POST /notify/targets/{target}/retry': async ({ target: name }, c) => {
    return {
      name,
      notifications: await c.var.operate((operator) => operator.retryNotifications(name)),
    };
  },
  'GET /notify/log': async ({ target = null, limit: notificationsMax = 50 }, c) => {
    const query = { target, notificationsMax };
    const notifications = await c.var.operate((operator) => operator.listNotifications(query));
    return { items: notifications.map(notificationView) };
  },
};
