import { createRoute, z } from '@hono/zod-openapi';
import { type Api, needs } from '../authentication/api.ts';
import { type ReadinessCheck, readinessSchema } from './readiness.ts';

const livezRoute = createRoute({
  method: 'get',
  path: '/livez',
  ...needs('anyone'),
  tags: ['health'],
  summary: 'Whether the process turns',
  description: 'Asks no database: a process that answers need not be killed.',
  responses: {
    200: {
      description: 'It turns.',
      content: { 'application/json': { schema: z.strictObject({ isAlive: z.literal(true) }) } },
    },
  },
});

const readinessContent = { 'application/json': { schema: readinessSchema } };
const readyzRoute = createRoute({
  method: 'get',
  path: '/readyz',
  ...needs('anyone'),
  tags: ['health'],
  summary: 'Whether the node does its work',
  responses: {
    200: { description: 'It does.', content: readinessContent },
    503: { description: 'It does not; the checks say why.', content: readinessContent },
  },
});

/** `GET /livez` and `GET /readyz`. */
export function addHealthRoutes(api: Api, ready: ReadinessCheck): void {
  const headers = { 'cache-control': 'no-store' };
  api.openapi(livezRoute, (c) => c.json({ isAlive: true } as const, 200, headers));
  api.openapi(readyzRoute, async (c) => {
    const readiness = await ready.check();
    return c.json(readiness, readiness.isReady ? 200 : 503, headers);
  });
}
