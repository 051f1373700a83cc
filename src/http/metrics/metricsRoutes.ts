import { createRoute, z } from '@hono/zod-openapi';
import { type Api, needs } from '../authentication/api.ts';
import type { NodeMetrics } from './nodeMetrics.ts';

/**
 * `GET /metrics`. Open: without a token, as some collectors want it; job names are then shown to
 * whoever reaches the port.
 */
export function addMetricsRoutes(api: Api, metrics: NodeMetrics, isOpen: boolean): void {
  const route = createRoute({
    method: 'get',
    path: '/metrics',
    ...needs(isOpen ? 'anyone' : 'viewer'),
    tags: ['health'],
    summary: 'Metrics of the node for Prometheus',
    description: 'What begins with `statecron_cluster_` is the same on every node: use `max`.',
    responses: {
      200: {
        description: 'The text format of Prometheus.',
        content: { 'text/plain': { schema: z.string() } },
      },
    },
  });
  api.openapi(route, async (c) => {
    const seesAll = isOpen || c.var.caller.groups === null;
    const text = await metrics.text(seesAll);
    return c.body(text, 200, { 'content-type': metrics.contentType }) as never;
  });
}
