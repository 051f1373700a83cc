import { createRoute, z } from '@hono/zod-openapi';
import { checkGroupName } from '../../domain/targeting/checkTarget.ts';
import { type Api, maySeeGroup, needs } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import {
  changedLimitSchema,
  groupPath,
  limitBody,
  limitSchema,
} from '../schemas/clusterSchemas.ts';
import { limitView } from '../views/groupView.ts';
import { badField } from './badField.ts';
import { requireAllGroups } from './jobAccess.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/limits',
  operationId: 'listLimits',
  ...needs('viewer'),
  tags: ['limits'],
  summary: 'List how many launches groups of jobs may have at once',
  responses: answers(200, 'All limits, by group.', z.object({ items: z.array(limitSchema) })),
});

const setRoute = createRoute({
  method: 'put',
  path: '/api/v1/limits/{group}',
  operationId: 'setLimit',
  ...needs('admin'),
  tags: ['limits'],
  summary: 'Limit how many launches a group of jobs may have at once',
  request: { params: groupPath, body: jsonBody(limitBody) },
  responses: answers(200, 'It is so now.', changedLimitSchema),
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/api/v1/limits/{group}',
  operationId: 'removeLimit',
  ...needs('admin'),
  tags: ['limits'],
  summary: 'Take the limit of a group of jobs away',
  request: { params: groupPath },
  responses: answers(200, 'It has none.', changedLimitSchema),
});

/** `/api/v1/limits`. */
export function addLimitRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    const limits = await c.var.operate((operator) => operator.listLimits());
    const seen = limits.filter(({ group }) => maySeeGroup(c.var.caller, group));
    return c.json({ items: seen.map(limitView) }, 200);
  });
  api.openapi(setRoute, async (c) => {
    const { group } = c.req.valid('param');
    const { max } = c.req.valid('json');
    requireAllGroups(c.var.caller);
    requireLimitable(group);
    const changed = await c.var.operate((operator) => operator.changeLimit(group, max));
    return c.json({ group, max, changed }, 200);
  });
  api.openapi(removeRoute, async (c) => {
    const { group } = c.req.valid('param');
    requireAllGroups(c.var.caller);
    requireLimitable(group);
    const changed = await c.var.operate((operator) => operator.changeLimit(group, null));
    return c.json({ group, max: null, changed }, 200);
  });
}

function requireLimitable(group: string): void {
  const fault = checkGroupName(group);
  if (fault !== null) throw badField('group', fault);
  if (group === 'default') throw badField('group', 'jobs without a group have no limit together');
}
