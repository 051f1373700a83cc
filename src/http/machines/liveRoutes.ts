import { createRoute, z } from '@hono/zod-openapi';
import type { NodeView } from '../../actors/view/nodeView.ts';
import { type Api, needs } from '../authentication/api.ts';

const actorSchema = z.strictObject({
  actor: z.string(),
  machine: z.string(),
  state: z.string().describe('as a path, e.g. live.serving'),
});

const nodeSchema = z.strictObject({
  node: z.string(),
  sessionId: z.string(),
  state: z.enum(['live', 'ended']),
  isDraining: z.boolean(),
  renewedAgoMs: z.int(),
  slots: z.strictObject({ prepare: z.int(), executing: z.int() }),
});

const liveSchema = z
  .strictObject({
    node: z.string().describe('the node that answers, and whose actors these are'),
    sessionId: z.string(),
    actors: z.array(actorSchema),
    slotActors: z.record(z.string(), z.int()).describe('how many actors of slots, by state'),
    nodes: z.array(nodeSchema).describe('what each node holds, by the database'),
  })
  .openapi('LiveMachines');

const liveRoute = createRoute({
  method: 'get',
  path: '/api/v1/machines/live',
  ...needs('viewer'),
  tags: ['machines'],
  summary: 'Where every actor stands now',
  responses: {
    200: {
      description: 'The actors of this node, and what every node holds.',
      content: { 'application/json': { schema: liveSchema } },
    },
  },
});

/** Sessions that ended lately may hold slots that nobody has freed yet. */
const endedWithinMs = 10 * 60_000;
const sessionsMax = 1_000;

/** `GET /api/v1/machines/live`; to be added before routes with a name in that place. */
export function addLiveMachineRoutes(api: Api, view: NodeView): void {
  api.openapi(liveRoute, async (c) => {
    const bounds = { endedWithinMs, sessionsMax };
    const { sessions } = await c.var.operate((operator) => operator.readCluster(bounds));
    const holding = sessions.filter(
      ({ state, prepared, executing }) => state === 'live' || prepared + executing > 0,
    );
    const nodes = holding.map((session) => ({
      node: session.node,
      sessionId: session.sessionId,
      state: session.state,
      isDraining: session.isDraining,
      renewedAgoMs: session.renewedAgoMs,
      slots: { prepare: session.prepared, executing: session.executing },
    }));
    const { actors, slots: slotActors } = view.machines();
    const { nodeName: node, sessionId } = view;
    return c.json({ node, sessionId, actors: [...actors], slotActors, nodes }, 200);
  });
}
