import { createRoute } from '@hono/zod-openapi';
import { parseDuration } from '../../domain/duration.ts';
import { parseInstant } from '../../domain/parseInstant.ts';
import { checkedEnv } from '../../domain/words/requestEnv.ts';
import type { PauseEnd } from '../../store/jobs/changeJob.ts';
import { type Api, needs } from '../api.ts';
import { answers, jsonBody, optionalBody } from '../schemas/answers.ts';
import {
  backfillBody,
  backfilledSchema,
  pauseBody,
  runAskedSchema,
  runBody,
  skipBody,
  skippedSchema,
} from '../schemas/jobAskSchemas.ts';
import { changedJobSchema } from '../schemas/jobSchemas.ts';
import { jobPath } from '../schemas/querySchemas.ts';
import { backfilledView, changedJobView, skippedView } from '../views/jobView.ts';
import { scheduleOf } from '../work/calculations.ts';
import { badField } from './badField.ts';
import { tagOfJob } from './entityTag.ts';
import { requireJob } from './jobAccess.ts';

const pauseRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/pause',
  operationId: 'pauseJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Pause a job',
  description:
    'No run of it starts after the answer. Runs that had started before, so many as `executing` ' +
    'says, go on; the process of one may begin a moment later.',
  request: { params: jobPath, body: optionalBody(pauseBody) },
  responses: answers(200, 'It is paused.', changedJobSchema),
});

const resumeRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/resume',
  operationId: 'resumeJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Resume a job',
  description: 'Its schedule counts again from now on; nothing is made up for.',
  request: { params: jobPath },
  responses: answers(200, 'It is not paused.', changedJobSchema),
});

const runRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/run',
  operationId: 'runJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Run a job now',
  description: 'Asks for one launch, of a paused job too. See it by its request id: /runs/{run}.',
  request: { params: jobPath, body: optionalBody(runBody) },
  responses: answers(202, 'It is asked for.', runAskedSchema),
});

const skipRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/skip-next',
  operationId: 'skipNext',
  ...needs('operator'),
  tags: ['jobs'],
  summary: "Skip a job's next ticks",
  description: 'Not safe to ask for twice, but with an Idempotency-Key.',
  request: { params: jobPath, body: optionalBody(skipBody) },
  responses: answers(200, 'They are skipped.', skippedSchema),
});

const backfillRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/backfill',
  operationId: 'backfillJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Run the ticks of a range',
  description: 'Each tick is run once for a request id, however often the request is repeated.',
  request: { params: jobPath, body: jsonBody(backfillBody) },
  responses: answers(202, 'They are asked for.', backfilledSchema),
});

/** What is asked of a job: `/api/v1/jobs/{job}/…`. */
export function addJobActionRoutes(api: Api): void {
  addPauseRoutes(api);
  addRunRoute(api);
  addTickRoutes(api);
}

function addPauseRoutes(api: Api): void {
  api.openapi(pauseRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const end = readPauseEnd(c.req.valid('json').until);
    const changed = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.pauseJob(name, end);
    });
    c.header('etag', tagOfJob(changed));
    return c.json(changedJobView(name, changed), 200);
  });
  api.openapi(resumeRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const changed = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.resumeJob(name);
    });
    c.header('etag', tagOfJob(changed));
    return c.json(changedJobView(name, changed), 200);
  });
}

function addRunRoute(api: Api): void {
  api.openapi(runRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { env = {}, node, ignoreOverlap = false, requestId: given } = c.req.valid('json');
    const requestId = given ?? c.var.creationId;
    const wishes = {
      env: checkedEnv(env),
      wantedNode: node ?? null,
      ignoresOverlap: ignoreOverlap,
    };
    const asked = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.runJob(name, requestId, wishes);
    });
    c.header('location', `/api/v1/runs/${encodeURIComponent(requestId)}`);
    return c.json({ job: name, ...asked }, 202);
  });
}

function addTickRoutes(api: Api): void {
  api.openapi(skipRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { count = 1 } = c.req.valid('json');
    const skipped = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.skipNext(name, count);
    });
    return c.json(skippedView(name, skipped), 200);
  });
  api.openapi(backfillRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const {
      from: fromMs,
      to: untilMs,
      max = 1_000,
      dryRun = false,
      ...given
    } = c.req.valid('json');
    if (untilMs < fromMs) throw badField('to', 'is before from');
    c.set('isDry', dryRun);
    const requestId = given.requestId ?? `backfill:${fromMs}-${untilMs}`;
    const [{ definition, revision }] = (
      await c.var.operate(async (operator) => {
        await requireJob(operator, c.var.caller, name);
        return operator.showJob(name, 1);
      })
    ).revisions;
    const found = await c.var.calculate('nextTicks', {
      ...{ schedule: scheduleOf(definition), inForceFromMs: fromMs },
      ...{ afterMs: fromMs - 1, untilMs, ticksMax: max + 1 },
    });
    const range = { fromMs, untilMs, ticksMax: max, known: { revision, ticks: found } };
    const backfill = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.backfillJob(name, requestId, range, dryRun);
    });
    return c.json(backfilledView(name, backfill, dryRun), 202);
  });
}

/** An instant with its zone, or a time from now on, by the database's clock. */
function readPauseEnd(until: string | undefined): PauseEnd {
  if (until === undefined) return null;
  const untilMs = parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  throw badField('until', 'write an instant as 2030-01-31T09:30:00Z, or a duration as 2h');
}
