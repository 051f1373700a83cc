import { createRoute } from '@hono/zod-openapi';
import { type RunResult, runResults } from '../../domain/run.ts';
import { pageOfRunning, pageOfRuns, type RunPlace } from '../../store/runs/pageOfRuns.ts';
import { type Api, needs } from '../api.ts';
import { answers, optionalBody } from '../schemas/answers.ts';
import {
  retriedSchema,
  runListQuery,
  runPageSchema,
  runPath,
  runSchema,
  stopBody,
  stoppedSchema,
} from '../schemas/runSchemas.ts';
import { runView } from '../views/runView.ts';
import { badField } from './badField.ts';
import { groupsToList } from './jobAccess.ts';
import { nextLink } from './nextLink.ts';
import { requireRun } from './requireRun.ts';
import { stopRunOrRequest } from './stopRunOrRequest.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/runs',
  operationId: 'listRuns',
  ...needs('viewer'),
  tags: ['runs'],
  summary: 'List runs, newest first',
  description:
    'A page of the history, by the time of the end. A page may be short, or even empty, before ' +
    'the last: go on with `after` while `next` is not null.',
  request: { query: runListQuery },
  responses: answers(200, 'A page of the runs.', runPageSchema),
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/v1/runs/{run}',
  operationId: 'readRun',
  ...needs('viewer'),
  tags: ['runs'],
  summary: 'Read a run',
  request: { params: runPath },
  responses: answers(200, 'The run.', runSchema),
});

const stopRoute = createRoute({
  method: 'post',
  path: '/api/v1/runs/{run}/stop',
  operationId: 'stopRun',
  ...needs('operator'),
  tags: ['runs'],
  summary: 'Stop a run',
  description: 'Of a request also what still waits for its turn.',
  request: { params: runPath, body: optionalBody(stopBody) },
  responses: answers(200, 'What becomes of it.', stoppedSchema),
});

const retryRoute = createRoute({
  method: 'post',
  path: '/api/v1/runs/{run}/retry',
  operationId: 'retryRun',
  ...needs('operator'),
  tags: ['runs'],
  summary: 'Try again what a run was about',
  description: 'Asking again while the new attempt waits or goes on adds nothing.',
  request: { params: runPath },
  responses: answers(202, 'It is asked for.', retriedSchema),
});

/** `/api/v1/runs`, but for what they write. */
export function addRunRoutes(api: Api): void {
  addListRoute(api);
  api.openapi(readRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const run = await c.var.operate((operator) => requireRun(operator, c.var.caller, id));
    return c.json(runView(run), 200);
  });
  api.openapi(stopRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const { waitingOnly = false } = c.req.valid('json');
    const stopped = await c.var.operate((operator) =>
      stopRunOrRequest(operator, c.var.caller, id, waitingOnly),
    );
    return c.json(stopped, 200);
  });
  api.openapi(retryRoute, async (c) => {
    const { run: id } = c.req.valid('param');
    const retried = await c.var.operate(async (operator) => {
      await requireRun(operator, c.var.caller, id);
      return operator.retryRun(id);
    });
    return c.json({ ...retried }, 202);
  });
}

function addListRoute(api: Api): void {
  api.openapi(listRoute, async (c) => {
    const query = c.req.valid('query');
    const { limit: runsMax = 50, job, node } = query;
    const where = {
      ...(job === undefined ? {} : { job }),
      ...(node === undefined ? {} : { node }),
      ...groupsToList(c.var.caller, undefined),
    };
    if (query.running === true) {
      const runs = await c.var.withChannel((channel) =>
        pageOfRunning(channel, { ...where, runsMax }),
      );
      return c.json({ items: runs.map(runView), next: null }, 200);
    }
    const asked = {
      ...where,
      ...(query.request === undefined ? {} : { requestId: query.request }),
      ...(query.result === undefined ? {} : { results: readResults(query.result) }),
      ...(query.final === undefined ? {} : { isFinal: query.final }),
      ...(query.since === undefined ? {} : { sinceMs: query.since }),
      ...(query.until === undefined ? {} : { untilMs: query.until }),
      ...{ runsMax, after: query.after === undefined ? null : readPlace(query.after) },
    };
    const page = await c.var.withChannel((channel) => pageOfRuns(channel, asked));
    const next = page.next === null ? null : `${page.next.endedMs}:${page.next.runId}`;
    nextLink(c, next);
    return c.json({ items: page.runs.map(runView), next }, 200);
  });
}

function readResults(words: readonly string[]): RunResult[] {
  return words.map((word) => {
    const result = runResults.find((each) => each === word);
    if (result === undefined) throw badField('result', `allowed are ${runResults.join(', ')}`);
    return result;
  });
}

function readPlace(after: string): RunPlace {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(after);
  if (match === null) throw badField('after', 'the `next` of the page before is wanted');
  return { endedMs: Number(match[1]), runId: Number(match[2]) };
}
