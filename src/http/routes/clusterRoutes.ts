import { createRoute } from '@hono/zod-openapi';
import { type Api, needs } from '../api.ts';
import { answers } from '../schemas/answers.ts';
import {
  clusterQuery,
  clusterSchema,
  forgottenSchema,
  nodePath,
  sessionsSchema,
} from '../schemas/clusterSchemas.ts';
import { clusterView } from '../views/clusterView.ts';
import { requireAllGroups } from './jobAccess.ts';

const clusterRoute = createRoute({
  method: 'get',
  path: '/api/v1/cluster',
  operationId: 'readCluster',
  ...needs('viewer'),
  tags: ['cluster'],
  summary: 'Who is there, who was, and whether they fit together',
  request: { query: clusterQuery },
  responses: answers(200, 'The cluster.', clusterSchema),
});

const sessionsRoute = createRoute({
  method: 'get',
  path: '/api/v1/sessions',
  operationId: 'listSessions',
  ...needs('viewer'),
  tags: ['cluster'],
  summary: 'The sessions that matter now',
  description: 'Live ones, and ended ones whose slots are not all free yet. Costs one statement.',
  responses: answers(200, 'The sessions.', sessionsSchema),
});

const forgetRoute = createRoute({
  method: 'delete',
  path: '/api/v1/nodes/{node}',
  operationId: 'forgetNode',
  ...needs('admin'),
  tags: ['cluster'],
  summary: 'Forget a node that is gone for good',
  description: 'Takes the slots away that every-node jobs have of it; what they owed is missed.',
  request: { params: nodePath },
  responses: answers(200, 'It is forgotten.', forgottenSchema),
});

const hourMs = 3_600_000;

/** `/api/v1/cluster`, `/api/v1/sessions`, `/api/v1/nodes/{node}`. */
export function addClusterRoutes(api: Api): void {
  api.openapi(clusterRoute, async (c) => {
    const { endedWithinMs = hourMs, limit: sessionsMax = 1_000 } = c.req.valid('query');
    const cluster = await c.var.operate((operator) =>
      operator.readCluster({ endedWithinMs, sessionsMax }),
    );
    return c.json(clusterView(cluster, c.var.caller), 200);
  });
  api.openapi(sessionsRoute, async (c) => {
    const { sessions, ...rest } = await c.var.operate((operator) => operator.listSessions());
    const views = sessions.map(({ labels, ...session }) => {
      return { ...session, ...(labels === undefined ? {} : { labels: [...labels] }) };
    });
    return c.json({ ...rest, sessions: views }, 200);
  });
  api.openapi(forgetRoute, async (c) => {
    const { node } = c.req.valid('param');
    requireAllGroups(c.var.caller);
    const { slots } = await c.var.operate((operator) => operator.forgetNode(node));
    return c.json({ node, slots }, 200);
  });
}
