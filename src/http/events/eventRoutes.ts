import type { Context } from 'hono';
import type { Api, ApiEnv } from '../authentication/api.ts';
import { type EventQuery, eventContract } from '../contract/eventContract.ts';
import { busy } from '../problems/retryLater.ts';
import { addRoutes } from '../routes/handling/addRoutes.ts';
import { eventFilter } from './eventFilter.ts';
import type { EventHub } from './eventHub.ts';

/** `GET /api/v1/events`, and the same at `/events`, where such streams often are. */
export function addEventRoutes(api: Api, hub: EventHub): void {
  const handle = async (query: EventQuery, c: Context<ApiEnv>) => streamEvents(hub, query, c);
  addRoutes(api, eventContract, { 'GET /events': handle });
  const hidden = { ...eventContract['GET /events'], isHidden: true };
  addRoutes(api, { 'GET /events': hidden }, { 'GET /events': handle }, '');
}

function streamEvents(hub: EventHub, query: EventQuery, c: Context<ApiEnv>): Response {
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
  if (stream !== null) return c.body(stream, 200, headers);
  onEnd();
  throw busy('This node has as many event streams open as it may.', retryAfterMs);
}

const retryAfterMs = 30_000;
