import { createRoute, z } from '@hono/zod-openapi';
import { whyNotUnderstood } from '../../domain/definitionFormat.ts';
import { OperatorError } from '../../domain/errors.ts';
import { diffWords } from '../../domain/words/diffWords.ts';
import { upstreamText } from '../../domain/words/upstreamText.ts';
import type { Channel } from '../../store/channel.ts';
import { findJob } from '../../store/jobs/findJob.ts';
import {
  type RevisionShown,
  readRevision,
  readRevisions,
  revisionMissing,
} from '../../store/jobs/readRevisions.ts';
import { type Api, type Caller, needs, requireGroup } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import { rollbackBody, ticksSchema } from '../schemas/jobAskSchemas.ts';
import {
  changedJobSchema,
  revisionDiffSchema,
  revisionPageSchema,
  revisionSchema,
} from '../schemas/jobSchemas.ts';
import { ifMatchHeader, jobPath, wholeNumber } from '../schemas/querySchemas.ts';
import { isoOf } from '../views/isoOf.ts';
import { changedJobView, revisionView } from '../views/jobView.ts';
import { scheduleOf } from '../work/calculations.ts';
import { editDefinition } from './editWords.ts';
import { readCondition, tagOfJob } from './entityTag.ts';
import { groupOfJob, maySeeRevision, requireJob, requireUpstreams } from './jobAccess.ts';
import { nextLink } from './nextLink.ts';

const revisionMax = 2 ** 32 - 2;

const revisionPath = jobPath.extend({
  revision: wholeNumber(1, revisionMax).openapi({ param: { name: 'revision', in: 'path' } }),
});

const nextRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs/{job}/next',
  operationId: 'readNextTicks',
  ...needs('viewer'),
  tags: ['jobs'],
  summary: "A job's next ticks",
  description: 'Those that its schedule names from now on; none while it is paused.',
  request: {
    params: jobPath,
    query: z.strictObject({ count: wholeNumber(1, 1_000).optional() }),
  },
  responses: answers(200, 'The ticks.', ticksSchema.omit({ marks: true })),
});

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs/{job}/revisions',
  operationId: 'listRevisions',
  ...needs('viewer'),
  tags: ['revisions'],
  summary: 'List the revisions of a job, newest first',
  request: {
    params: jobPath,
    query: z.strictObject({
      limit: wholeNumber(1, 100).optional(),
      after: wholeNumber(1, revisionMax).optional(),
    }),
  },
  responses: answers(200, 'A page of them.', revisionPageSchema),
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs/{job}/revisions/{revision}',
  operationId: 'readRevision',
  ...needs('viewer'),
  tags: ['revisions'],
  summary: 'Read a revision of a job',
  request: { params: revisionPath },
  responses: answers(200, 'The revision.', revisionSchema),
});

const diffRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs/{job}/revisions/{revision}/diff',
  operationId: 'diffRevisions',
  ...needs('viewer'),
  tags: ['revisions'],
  summary: 'What a revision changed, field by field',
  request: {
    params: revisionPath,
    query: z.strictObject({
      from: wholeNumber(1, revisionMax)
        .optional()
        .openapi({ description: 'The other revision (the one before).' }),
    }),
  },
  responses: answers(200, 'The words that differ.', revisionDiffSchema),
});

const rollbackRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs/{job}/rollback',
  operationId: 'rollbackJob',
  ...needs('operator'),
  tags: ['revisions'],
  summary: 'Give a job the definition of an earlier revision',
  description:
    'Makes a new revision. Whether the job is paused stays, and so do the values of its secret ' +
    'variables. If-Match may be left out.',
  request: { params: jobPath, headers: ifMatchHeader, body: jsonBody(rollbackBody) },
  responses: answers(200, 'It is so now.', changedJobSchema),
});

/** The revisions of a job, and the ticks of the one in force. */
export function addRevisionRoutes(api: Api): void {
  addReadRoutes(api);
  addDiffRoutes(api);
  api.openapi(nextRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { count = 10 } = c.req.valid('query');
    const job = await c.var.operate((operator) => operator.showJob(name, 1));
    const [{ definition, inForceFromMs }] = job.revisions;
    requireGroup(c.var.caller, groupOfJob(definition), { name });
    if (job.isPaused) return c.json({ next: [] }, 200);
    const ticks = await c.var.calculate('nextTicks', {
      ...{ schedule: scheduleOf(definition), inForceFromMs },
      ...{ afterMs: job.nowMs, ticksMax: count },
    });
    return c.json({ next: ticks.map(isoOf) }, 200);
  });
}

function addReadRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { limit = 20, after: beforeRevision = null } = c.req.valid('query');
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const { revisions, isMore } = await c.var.withChannel(async (channel) => {
      const { jobId } = await findJob(channel, name);
      return readRevisions(channel, jobId, { beforeRevision, revisionsMax: limit });
    });
    const visible = revisions.filter((revision) => maySeeRevision(c.var.caller, revision));
    const next = isMore ? `${revisions.at(-1)?.revision}` : null;
    nextLink(c, next);
    return c.json({ items: visible.map(revisionView), next }, 200);
  });
  api.openapi(readRoute, async (c) => {
    const { job: name, revision } = c.req.valid('param');
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const found = await c.var.withChannel((channel) =>
      readVisible(channel, c.var.caller, name, revision),
    );
    return c.json(revisionView(found), 200);
  });
}

function addDiffRoutes(api: Api): void {
  api.openapi(diffRoute, async (c) => {
    const { job: name, revision } = c.req.valid('param');
    const { from = Math.max(1, revision - 1) } = c.req.valid('query');
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const [before, after] = await c.var.withChannel(async (channel) => [
      await readVisible(channel, c.var.caller, name, from),
      await readVisible(channel, c.var.caller, name, revision),
    ]);
    const paused = { before: before.isPaused, after: after.isPaused };
    const changes = diffWords(before.definition, after.definition);
    return c.json({ job: name, from, to: revision, paused, changes }, 200);
  });
  api.openapi(rollbackRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { revision } = c.req.valid('json');
    const { caller } = c.var;
    const condition = readCondition(c.req.valid('header')['if-match']) ?? '*';
    await c.var.operate((operator) => requireJob(operator, caller, name));
    const { definition } = await c.var.withChannel((channel) =>
      readVisible(channel, caller, name, revision),
    );
    const whyNot = whyNotUnderstood(definition);
    if (whyNot !== null) throw notUnderstood(name, revision, whyNot);
    const after = definition.after?.map(upstreamText) ?? [];
    const changed = await c.var.operate(async (operator) => {
      await requireUpstreams(operator, caller, { after });
      return operator.editJob(name, (current, _, job) =>
        editDefinition(caller, condition, current, job, () => definition),
      );
    });
    c.header('etag', tagOfJob(changed));
    return c.json(changedJobView(name, changed), 200);
  });
}

async function readVisible(
  channel: Channel,
  caller: Caller,
  name: string,
  revision: number,
): Promise<RevisionShown> {
  const found = await readRevision(channel, name, revision);
  if (maySeeRevision(caller, found)) return found;
  throw revisionMissing(name, revision);
}

function notUnderstood(name: string, revision: number, whyNot: string): OperatorError {
  return new OperatorError({
    code: 'definition_unknown',
    message: `Revision ${revision} of ${name} is not for this version: ${whyNot}.`,
    hint: 'Ask a node of the version that made it.',
  });
}
