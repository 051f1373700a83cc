import { createRoute, z } from '@hono/zod-openapi';
import { type Api, needs } from '../api.ts';
import { answers, optionalBody, problems } from '../schemas/answers.ts';
import { liveBody, liveSchema, logQuery, logSchema, runPath } from '../schemas/runSchemas.ts';
import { followOutput } from './followOutput.ts';
import { requireRun } from './requireRun.ts';

/** Whatever a job wrote is shown, never run: not as HTML, not in a page of this origin. */
const outputHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': 'attachment; filename="output.txt"',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

const logRoute = createRoute({
  method: 'get',
  path: '/api/v1/runs/{run}/log',
  operationId: 'readLog',
  ...needs('viewer'),
  tags: ['runs'],
  summary: 'What a run wrote',
  description: 'The bytes that are kept, head and tail; or all about them in JSON.',
  request: { params: runPath, query: logQuery },
  responses: {
    200: {
      description: 'Nothing, when nothing is kept of it.',
      content: {
        'text/plain': { schema: z.string() },
        'application/json': { schema: logSchema },
      },
    },
    ...problems,
  },
});

const liveRoute = createRoute({
  method: 'post',
  path: '/api/v1/runs/{run}/live',
  operationId: 'readLive',
  ...needs('viewer', 'look'),
  tags: ['runs'],
  summary: 'A look at what a run writes now',
  description: 'Its node sends it while somebody follows: ask again within ten seconds.',
  request: { params: runPath, body: optionalBody(liveBody) },
  responses: answers(200, 'What is new.', liveSchema),
});

const followRoute = createRoute({
  method: 'post',
  path: '/api/v1/runs/{run}/follow',
  operationId: 'followRun',
  ...needs('viewer', 'look'),
  tags: ['runs'],
  summary: 'What a run writes, as it writes it',
  description:
    'Text in chunks until the run has ended, or it has written nothing for a while, or for a ' +
    'quarter of an hour, or until the token is in force no more: see whether it has ended, and ' +
    'ask again with the bytes that were seen. ' +
    'A client that does not read is cut.',
  request: { params: runPath, body: optionalBody(liveBody) },
  responses: {
    200: {
      description: 'A stream of text.',
      content: { 'text/plain': { schema: z.string() } },
    },
    ...problems,
  },
});

/** What runs write: `/api/v1/runs/{run}/log`, `…/live`, `…/follow`. */
export function addLogRoutes(api: Api): void {
  addLogRoute(api);
  api.openapi(liveRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const { seenBytes = 0 } = c.req.valid('json');
    const look = await c.var.operate(async (operator) => {
      const { launchId, result } = await requireRun(operator, c.var.caller, id);
      if (launchId === null) return nothing;
      if (result === null) await operator.askLive(launchId);
      return operator.readLive(launchId, seenBytes);
    });
    const { output, outputBytes, isTold } = look;
    const base64 = output === null ? null : Buffer.from(output).toString('base64');
    return c.json({ outputBytes, base64, isTold }, 200);
  });
  api.openapi(followRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const { seenBytes = 0 } = c.req.valid('json');
    const run = await c.var.operate((operator) => requireRun(operator, c.var.caller, id));
    const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
    const stream = followOutput({
      ...{ run, seenBytes, operate: c.var.operate, admission: c.var.admission() },
      holdStream: c.var.holdStream,
      cut: () => outgoing?.destroy(),
    });
    return c.body(stream, 200, outputHeaders) as never;
  });
}

const nothing = { output: null, outputBytes: 0, isTold: false } as const;

function addLogRoute(api: Api): void {
  api.openapi(logRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const { format = 'text' } = c.req.valid('query');
    const [run, output] = await c.var.operate(async (operator) => {
      const shown = await requireRun(operator, c.var.caller, id);
      const { launchId } = shown;
      return [shown, launchId === null ? null : await operator.readOutput(launchId)];
    });
    const bytes = Buffer.from(output ?? []);
    if (format === 'text') return c.body(new Uint8Array(bytes), 200, outputHeaders) as never;
    const { launchId, outputBytes } = run;
    const texts = { text: bytes.toString('utf8'), base64: bytes.toString('base64') };
    return c.json({ launchId, outputBytes, keptBytes: bytes.length, ...texts }, 200);
  });
}
