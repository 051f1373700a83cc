import { z } from '@hono/zod-openapi';
import {
  alike,
  answerSchema,
  inputSchema,
  isoInstant,
  nameText,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const machine = answerSchema('Machine', {
  id: z.string(),
  states: z.array(z.string()),
  description: z.string(),
});

export const machineContract = {
  'GET /machines': {
    ...{ id: 'listMachines', role: 'viewer', tag: 'machines' },
    summary: 'List the statecharts',
    ...{
      answers: 'The statecharts that nodes run.',
      answer: z.object({ items: z.array(machine) }),
    },
  },
  'GET /machines/{machine}': {
    ...{ id: 'readMachine', role: 'viewer', tag: 'machines' },
    summary: 'Read a statechart',
    ...{
      answers: 'The definition, as XState takes it.',
      answer: z.looseObject({ id: z.string() }),
    },
  },
  'GET /machines/{machine}/drawing': {
    ...{ id: 'readDrawing', role: 'viewer', tag: 'machines' },
    summary: 'Read the picture of a statechart, of all actors or of the lifecycle',
    query: z.strictObject({
      format: z.enum(['svg', 'mermaid']).optional(),
      bare: yesOrNo()
        .optional()
        .describe('Without the style sheet of the SVG, for a page that has its own.'),
    }),
    answers: 'The picture.',
    content: { 'image/svg+xml': { schema: z.string() }, 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;

const actor = z.strictObject({
  ...alike(z.string(), 'actor', 'machine'),
  state: z.string().describe('The state as a path, for example `live.serving`.'),
});

const node = z.strictObject({
  ...alike(z.string(), 'node', 'sessionId'),
  state: z.enum(['live', 'ended']),
  isDraining: z.boolean(),
  renewedAgoMs: z.int(),
  slots: z.strictObject(alike(z.int(), 'prepare', 'executing')),
});

const report = z.strictObject({
  ...alike(z.string(), 'node', 'sessionId', 'version'),
  isLive: z.boolean(),
  reportedAt: isoInstant
    .nullable()
    .describe('When its counts were taken; null: it has not reported them yet.'),
});

const transition = z.strictObject({
  machine: z.string(),
  from: z.string().describe('The state, as in the drawing: `slot.prepare.waiting`.'),
  to: z.string().nullable().describe('The next state; null: it stays in its state.'),
  event: z.string().describe('A message, `after DELAY`, `done ACTOR`, `error ACTOR` or `always`.'),
  guard: z.string().nullable(),
  count: z.int(),
});

const guard = z.strictObject({
  ...alike(z.string(), 'machine', 'guard'),
  ...alike(z.int(), 'allowed', 'refused'),
});

const counts = {
  slotActors: z.record(z.string(), z.int()).describe('The number of slot actors in each state.'),
  transitions: z
    .array(transition)
    .describe('How often each transition was taken since its session began.'),
  guards: z.array(guard).describe('How often each guard has allowed and refused a transition.'),
};

const live = inputSchema('LiveMachines', {
  node: z.string().describe('The node that answers.'),
  sessionId: z.string(),
  reports: z
    .array(report)
    .describe('The sessions that `actors`, `slotActors`, `transitions` and `guards` are of.'),
  actors: z.array(actor).describe('Empty for the whole cluster.'),
  ...counts,
  versions: z
    .array(z.strictObject({ version: z.string(), ...counts }))
    .describe(
      'The same counts by version, where `reports` are of several: their statecharts may differ. ' +
        'Else empty.',
    ),
  nodes: z.array(node).describe('All nodes, from the database.'),
});

/** To be added before the routes with a name in the place of `live`. */
export const liveContract = {
  'GET /machines/live': {
    ...{ id: 'getMachinesLive', role: 'viewer', tag: 'machines' },
    summary: 'Read the states of the actors and what they have done',
    query: z.strictObject({
      node: nameText
        .optional()
        .describe('Another node, which reports about every two seconds from now on.'),
      cluster: yesOrNo().optional().describe('All nodes together.'),
    }),
    answers:
      'The actors of the node that answers or of the one that is named, or the counts of all ' +
      'nodes together, and the slots of each node.',
    answer: live,
  },
} as const satisfies Contract;
