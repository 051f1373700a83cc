import { z } from '@hono/zod-openapi';
import type { Contract } from './routeContract.ts';

const machine = z
  .object({ id: z.string(), states: z.array(z.string()), description: z.string() })
  .openapi('Machine');

export const machineContract = {
  'GET /machines': {
    ...{ id: 'listMachines', role: 'viewer', tag: 'machines' },
    summary: 'List the statecharts that run',
    ...{ answers: 'All of them.', answer: z.object({ items: z.array(machine) }) },
  },
  'GET /machines/{machine}': {
    ...{ id: 'readMachine', role: 'viewer', tag: 'machines' },
    summary: 'Read a statechart: its definition, as xstate has it',
    ...{ answers: 'The definition.', answer: z.looseObject({ id: z.string() }) },
  },
  'GET /machines/{machine}/drawing': {
    ...{ id: 'readDrawing', role: 'viewer', tag: 'machines' },
    summary: 'A drawing of a statechart',
    query: z.strictObject({ format: z.enum(['svg', 'mermaid']).optional() }),
    answers: 'The drawing.',
    content: { 'image/svg+xml': { schema: z.string() }, 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;
