import { createRoute, z } from '@hono/zod-openapi';
import { type Api, needs } from '../api.ts';
import { answers, problems } from '../schemas/answers.ts';
import { findMachine, loadMachines, requireDrawing } from './machineFiles.ts';

const machineSchema = z
  .object({ id: z.string(), states: z.array(z.string()), description: z.string() })
  .openapi('Machine');

const machinePath = z.object({
  machine: z
    .string()
    .regex(/^[A-Za-z][0-9A-Za-z-]{0,63}$/, 'the id of a machine is wanted')
    .openapi({ param: { name: 'machine', in: 'path' } }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/machines',
  operationId: 'listMachines',
  ...needs('viewer'),
  tags: ['machines'],
  summary: 'List the statecharts that run',
  responses: answers(200, 'All of them.', z.object({ items: z.array(machineSchema) })),
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/v1/machines/{machine}',
  operationId: 'readMachine',
  ...needs('viewer'),
  tags: ['machines'],
  summary: 'Read a statechart: its definition, as xstate has it',
  request: { params: machinePath },
  responses: answers(200, 'The definition.', z.looseObject({ id: z.string() })),
});

const drawingRoute = createRoute({
  method: 'get',
  path: '/api/v1/machines/{machine}/drawing',
  operationId: 'readDrawing',
  ...needs('viewer'),
  tags: ['machines'],
  summary: 'A drawing of a statechart',
  request: {
    params: machinePath,
    query: z.strictObject({ format: z.enum(['svg', 'mermaid']).optional() }),
  },
  responses: {
    200: {
      description: 'The drawing.',
      content: {
        'image/svg+xml': { schema: z.string() },
        'text/plain': { schema: z.string() },
      },
    },
    ...problems,
  },
});

/** `/api/v1/machines`. The live states stand at `/api/v1/machines/live`, to be added before. */
export function addMachineRoutes(api: Api): void {
  // What fails now is tried again, and told, when somebody asks.
  loadMachines().catch(() => undefined);
  api.openapi(listRoute, async (c) => {
    const items = (await loadMachines()).map(({ id, config }) => ({
      id,
      states: Object.keys(config.states ?? {}),
      description: config.description ?? '',
    }));
    return c.json({ items }, 200);
  });
  api.openapi(readRoute, async (c) => {
    const { id, config } = await findMachine(c.req.valid('param').machine);
    // As JSON has it: what of a definition is code stands there by its name.
    return c.json({ ...JSON.parse(JSON.stringify(config)), id }, 200);
  });
  api.openapi(drawingRoute, async (c) => {
    const machine = await findMachine(c.req.valid('param').machine);
    const { format = 'svg' } = c.req.valid('query');
    const bytes = new Uint8Array(requireDrawing(machine, format));
    const type = format === 'svg' ? 'image/svg+xml' : 'text/plain; charset=utf-8';
    // Its styles stand within it, and nothing else of it is wanted.
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    const headers = { 'content-type': type, 'content-security-policy': policy };
    return c.body(bytes, 200, headers) as never;
  });
}
