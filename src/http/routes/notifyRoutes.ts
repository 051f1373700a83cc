import { createRoute } from '@hono/zod-openapi';
import { minuteDefaults } from '../../domain/notices/noticeTarget.ts';
import { makeWebhookSecret } from '../../domain/notices/webhookSecret.ts';
import { type Api, needs } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import {
  addedTargetSchema,
  changedTargetSchema,
  noticeListSchema,
  noticeQuery,
  removedTargetSchema,
  retriedNoticesSchema,
  targetBody,
  targetChangeBody,
  targetListSchema,
  targetPath,
  testedTargetSchema,
} from '../schemas/noticeSchemas.ts';
import { noticeView, targetView } from '../views/noticeView.ts';
import { requireAllGroups } from './jobAccess.ts';

// All of it is an admin's: a target's address may be as good as a password.
const base = { ...needs('admin'), tags: ['notify'] };
const path = '/api/v1/notify/targets/{target}';

const listRoute = createRoute({
  ...base,
  ...{ method: 'get', path: '/api/v1/notify/targets', operationId: 'listNoticeTargets' },
  summary: 'List the notification targets and the state of each',
  responses: answers(200, 'All targets, without their secrets.', targetListSchema),
});

const addRoute = createRoute({
  ...{ ...needs('admin', 'secret'), tags: ['notify'] },
  ...{ method: 'post', path: '/api/v1/notify/targets', operationId: 'addNoticeTarget' },
  summary: 'Add a notification target',
  request: { body: jsonBody(targetBody) },
  responses: answers(201, 'It is added.', addedTargetSchema),
});

const editRoute = createRoute({
  ...base,
  ...{ method: 'patch', path, operationId: 'editNoticeTarget' },
  summary: 'Change a notification target',
  request: { params: targetPath, body: jsonBody(targetChangeBody) },
  responses: answers(200, 'It is so now.', changedTargetSchema),
});

const removeRoute = createRoute({
  ...base,
  ...{ method: 'delete', path, operationId: 'removeNoticeTarget' },
  summary: 'Remove a target that no job names',
  request: { params: targetPath },
  responses: answers(200, 'It is removed.', removedTargetSchema),
});

const testRoute = createRoute({
  ...base,
  ...{ method: 'post', path: `${path}/test`, operationId: 'testNoticeTarget' },
  summary: 'Have a test sent to a target',
  request: { params: targetPath },
  responses: answers(202, 'A node sends it.', testedTargetSchema),
});

const retryRoute = createRoute({
  ...base,
  ...{ method: 'post', path: `${path}/retry`, operationId: 'retryNotices' },
  summary: 'Have what was given up tried again',
  request: { params: targetPath },
  responses: answers(200, 'So many are tried.', retriedNoticesSchema),
});

const logRoute = createRoute({
  ...base,
  ...{ method: 'get', path: '/api/v1/notify/log', operationId: 'listNotices' },
  summary: 'List notifications: sent, waiting, or failed; the newest first',
  request: { query: noticeQuery },
  responses: answers(200, 'As far as they are kept.', noticeListSchema),
});

/** `/api/v1/notify`. Targets are the whole cluster's: a token for some groups sees none. */
export function addNotifyRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const targets = await c.var.operate((operator) => operator.listNoticeTargets());
    return c.json({ items: targets.map(targetView) }, 200);
  });
  api.openapi(addRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { kind, secret: given, events = [], longMs = null, ...wanted } = c.req.valid('json');
    const made = kind === 'webhook' && given === undefined ? makeWebhookSecret() : null;
    const minuteMax = wanted.minuteMax ?? minuteDefaults[kind];
    const secret = given ?? made;
    const target = { ...wanted, kind, secret, events, longMs, minuteMax };
    await c.var.operate((operator) => operator.addNoticeTarget(target));
    return c.json({ name: wanted.name, secret: made }, 201);
  });
  api.openapi(editRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { target } = c.req.valid('param');
    const given = Object.entries(c.req.valid('json')).filter(([, value]) => value !== undefined);
    const change = Object.fromEntries(given);
    const changed = await c.var.operate((operator) => operator.editNoticeTarget(target, change));
    return c.json({ name: target, changed }, 200);
  });
  api.openapi(removeRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { target } = c.req.valid('param');
    await c.var.operate((operator) => operator.removeNoticeTarget(target));
    return c.json({ name: target, removed: true }, 200);
  });
  api.openapi(testRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { target } = c.req.valid('param');
    const id = await c.var.operate((operator) => operator.testNoticeTarget(target));
    return c.json({ name: target, id }, 202);
  });
  api.openapi(retryRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { target } = c.req.valid('param');
    const notices = await c.var.operate((operator) => operator.retryNotices(target));
    return c.json({ name: target, notices }, 200);
  });
  api.openapi(logRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const { target = null, limit: noticesMax = 50 } = c.req.valid('query');
    const asked = { target, noticesMax };
    const notices = await c.var.operate((operator) => operator.listNotices(asked));
    return c.json({ items: notices.map(noticeView) }, 200);
  });
}
