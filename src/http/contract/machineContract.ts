import { z } from '@hono/zod-openapi';
import { alike, answerSchema, inputSchema } from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const machine = answerSchema('Machine', {
  id: z.string(),
  states: z.array(z.string()),
  description: z.string(),
});

export const machineContract = {
  'GET /machines': {
    ...{ id: 'listMachines', role: 'viewer', tag: 'machines' },
    summary: 'List the statecharts that run',
    ...{ answers: 'All of them.', answer: z.object({ items: z.array(machine) }) },
  },
  'GET /machines/{machine}': {
    ...{ id: 'readMachine', role: 'viewer', tag: 'machines' },
    summary: 'Read the definition of a statechart, as xstate has it',
    ...{ answers: 'The definition.', answer: z.looseObject({ id: z.string() }) },
  },
  'GET /machines/{machine}/drawing': {
    ...{ id: 'readDrawing', role: 'viewer', tag: 'machines' },
    summary: 'Read a drawing of a statechart',
    query: z.strictObject({ format: z.enum(['svg', 'mermaid']).optional() }),
    answers: 'The drawing.',
    content: { 'image/svg+xml': { schema: z.string() }, 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;

const actor = z.strictObject({
  ...alike(z.string(), 'actor', 'machine'),
  state: z.string().describe('as a path, e.g. live.serving'),
});

const node = z.strictObject({
  ...alike(z.string(), 'node', 'sessionId'),
  state: z.enum(['live', 'ended']),
  isDraining: z.boolean(),
  renewedAgoMs: z.int(),
  slots: z.strictObject(alike(z.int(), 'prepare', 'executing')),
});

const live = inputSchema('LiveMachines', {
  node: z.string().describe('the node that answers, and whose actors these are'),
  sessionId: z.string(),
  actors: z.array(actor),
  slotActors: z.record(z.string(), z.int()).describe('how many actors of slots, by state'),
  nodes: z.array(node).describe('what each node holds, by the database'),
});

/** To be added before the routes with a name in the place of `live`. */
export const liveContract = {
  'GET /machines/live': {
    ...{ id: 'getMachinesLive', role: 'viewer', tag: 'machines' },
    summary: 'Read the present state of every actor',
    ...{ answers: 'The actors of this node, and what every node holds.', answer: live },
  },
} as const satisfies Contract;
