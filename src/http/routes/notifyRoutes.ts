import type { Muted } from '../../domain/notifications/mute.ts';
import {
  makeWebhookSecret,
  minuteDefaults,
} from '../../domain/notifications/notificationTarget.ts';
import { listMutes } from '../../store/notifications/delivery/readMutes.ts';
import { type ApiVariables, maySeeGroup, requireGroup } from '../authentication/api.ts';
import type { notificationContract } from '../contract/notificationContract.ts';
import { roleForbidden } from '../problems/refusals.ts';
import type { DatabaseOperator } from '../views/apiOperator.ts';
import { muteView } from '../views/muteView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';
import { requireAllGroups, requireJob } from './handling/jobAccess.ts';
import { readPauseEnd } from './jobs/jobActionRoutes.ts';

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
  'GET /notify/mutes': async (_, { var: { caller, withChannel } }) => {
    const all = await withChannel(listMutes);
    const isAdmin = caller.groups === null && caller.role === 'admin';
    const mine = all.filter(({ group, kind }) => {
      if (kind === 'target') return isAdmin;
      return group === null ? caller.groups === null : maySeeGroup(caller, group);
    });
    return { items: mine.map(muteView) };
  },
  'PUT /notify/mutes/{kind}/{name}': ({ kind, name, note = null, until }, c) => {
    const end = readPauseEnd(until);
    if (end === null) throw badField('until', 'is wanted');
    return operateOnMuted(c.var, { kind, name }, (operator, muted) =>
      operator.muteNotifications(muted, { end, note }),
    );
  },
  'DELETE /notify/mutes/{kind}/{name}': ({ kind, name }, c) =>
    operateOnMuted(c.var, { kind, name }, (operator, muted) => operator.unmuteNotifications(muted)),
  'GET /notify/log': async ({ target = null, limit: notificationsMax = 50, state }, c) => {
    const query = { target, notificationsMax, ...withoutUndefined({ state }) };
    return { items: await c.var.operate((operator) => operator.listNotifications(query)) };
  },
};

/**
 * Works on what the caller may mute: a job or a group that is his business, as admin of the whole
 * cluster a target, too.
 * @throws OperatorError `job_missing`, `group_forbidden`, `role_forbidden`.
 */
function operateOnMuted<T>(
  { caller, client, operate }: Pick<ApiVariables, 'caller' | 'client' | 'operate'>,
  muted: Muted,
  work: (operator: DatabaseOperator, muted: Muted) => Promise<T>,
): Promise<T> {
  const { kind, name } = muted;
  if (kind === 'group') requireGroup(caller, name);
  if (kind === 'target') {
    requireAllGroups(caller);
    if (caller.role !== 'admin') {
      throw roleForbidden('To mute a target needs the role admin.', 'admin', client.person);
    }
  }
  return operate(async (operator) => {
    if (kind === 'job') await requireJob(operator, caller, name);
    return work(operator, muted);
  });
}
