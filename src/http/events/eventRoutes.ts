import { createRoute } from '@hono/zod-openapi';
import { type Api, needs } from '../authentication/api.ts';
import { busy } from '../problems/retryLater.ts';
import { eventFilter } from './eventFilter.ts';
import type { EventHub } from './eventHub.ts';
import { eventQuerySchema, streamEventSchema } from './eventSchemas.ts';

const eventsRoute = createRoute({
  method: 'get',
  path: '/api/v1/events',
  ...needs('viewer'),
  tags: ['events'],
  summary: 'What happens in the cluster, as it happens',
  description:
    'Server-sent events of all nodes, from any node. The `id` of an event is a position: brought ' +
    'back as `Last-Event-ID`, to whichever node, it goes on there, and no end of a run is left ' +
    'out; the last ones before it may come again, with the same `runId`. Slots and actors are ' +
    'sent live only. A client that does not read is cut, and a stream ends after some minutes: ' +
    'come back with the position. It ends within seconds of its token.',
  request: { query: eventQuerySchema },
  responses: {
    200: {
      description: 'A stream that lasts; comments every 15 s keep it alive.',
      content: { 'text/event-stream': { schema: streamEventSchema } },
    },
  },
});

/** `GET /api/v1/events`, and the same at `/events`, where such streams often are. */
export function addEventRoutes(api: Api, hub: EventHub): void {
  for (const also of [{}, { path: '/events', hide: true }]) addAt(api, hub, also);
}

function addAt(api: Api, hub: EventHub, also: { path?: string; hide?: boolean }): void {
  api.openapi({ ...eventsRoute, ...also } as typeof eventsRoute, (c) => {
    const query = c.req.valid('query');
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    // Nobody would read the stream of a HEAD.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers);
    const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
    const onEnd = c.var.holdStream();
    const stream = hub.open({
      onEnd,
      filter: eventFilter(query, c.var.caller),
      lastEventId: c.req.header('last-event-id') ?? query.lastEventId ?? null,
      admission: c.var.admission(),
      destroy: () => outgoing?.destroy(),
    });
    if (stream === null) {
      onEnd();
      throw busy('This node has as many event streams open as it may.', retryAfterMs);
    }
    return c.body(stream, 200, headers) as never;
  });
}

const retryAfterMs = 30_000;
