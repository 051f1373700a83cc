import { createRoute } from '@hono/zod-openapi';
import { newDefinition } from '../../domain/words/buildDefinition.ts';
import type { PauseWords } from '../../domain/words/jobWords.ts';
import { mergeJsonWords } from '../../domain/words/mergeJsonWords.ts';
import { readJsonWords } from '../../domain/words/readJsonWords.ts';
import { readPause } from '../../domain/words/readPause.ts';
import { type Api, needs, requireGroup } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import {
  addedJobSchema,
  changedJobSchema,
  jobQuery,
  shownJobSchema,
} from '../schemas/jobSchemas.ts';
import { ifMatchHeader, jobPath } from '../schemas/querySchemas.ts';
import { newJobSchema, wordsPatchSchema, wordsSchema } from '../schemas/wordsSchema.ts';
import { addedJobView, changedJobView, shownJobView, wordsView } from '../views/jobView.ts';
import { editWords } from './editWords.ts';
import { readCondition, requireCondition, requireTag, tagOfJob } from './entityTag.ts';
import { groupOfJob, maySeeRevision, requireJob, requireUpstreams } from './jobAccess.ts';

const addRoute = createRoute({
  method: 'post',
  path: '/api/v1/jobs',
  operationId: 'addJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Add a job',
  request: { body: jsonBody(newJobSchema) },
  responses: answers(201, 'It was added.', addedJobSchema),
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs/{job}',
  operationId: 'readJob',
  ...needs('viewer'),
  tags: ['jobs'],
  summary: 'Read a job',
  description: 'Its ETag names the revision: send it as If-Match with a change.',
  request: { params: jobPath, query: jobQuery },
  responses: answers(200, 'The job.', shownJobSchema),
});

const replaceRoute = createRoute({
  method: 'put',
  path: '/api/v1/jobs/{job}',
  operationId: 'replaceJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Replace what a job is',
  description: 'The fields are the whole definition: one that is left out gets its default.',
  request: { params: jobPath, headers: ifMatchHeader, body: jsonBody(wordsSchema) },
  responses: answers(200, 'It is so now.', changedJobSchema),
});

const patchRoute = createRoute({
  method: 'patch',
  path: '/api/v1/jobs/{job}',
  operationId: 'patchJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Change some fields of a job',
  request: { params: jobPath, headers: ifMatchHeader, body: jsonBody(wordsPatchSchema) },
  responses: answers(200, 'It is so now.', changedJobSchema),
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/api/v1/jobs/{job}',
  operationId: 'removeJob',
  ...needs('operator'),
  tags: ['jobs'],
  summary: 'Remove a job',
  description: 'Its history stays. If-Match may be left out.',
  request: { params: jobPath, headers: ifMatchHeader },
  responses: answers(200, 'It is removed.', changedJobSchema),
});

/** `/api/v1/jobs` and `/api/v1/jobs/{job}`, but for the list. */
export function addJobRoutes(api: Api): void {
  addAddRoute(api);
  addReadRoute(api);
  addEditRoutes(api);
  api.openapi(removeRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const condition = readCondition(c.req.valid('header')['if-match']);
    const removed = await c.var.operate(async (operator) => {
      await requireJob(operator, c.var.caller, name);
      return operator.removeJob(name, (job) => requireTag(condition ?? '*', tagOfJob(job)));
    });
    return c.json(changedJobView(name, removed), 200);
  });
}

function addAddRoute(api: Api): void {
  api.openapi(addRoute, async (c) => {
    const { name, origin, ...body } = c.req.valid('json');
    const pause = readPause(body as PauseWords) ?? null;
    const words = readJsonWords(body);
    const { definition, warnings } = newDefinition(name, words, Date.now());
    requireGroup(c.var.caller, groupOfJob(definition));
    const whole = origin === undefined ? definition : { ...definition, origin };
    const added = await c.var.operate(async (operator) => {
      await requireUpstreams(operator, c.var.caller, words);
      return operator.addJob(whole, pause);
    });
    c.header('etag', tagOfJob(added));
    c.header('location', `/api/v1/jobs/${encodeURIComponent(name)}`);
    return c.json(addedJobView(definition, added, warnings), 201);
  });
}

function addReadRoute(api: Api): void {
  api.openapi(readRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const { revisions = 1 } = c.req.valid('query');
    const job = await c.var.operate((operator) => operator.showJob(name, revisions));
    const [inForce, ...earlier] = job.revisions;
    requireGroup(c.var.caller, groupOfJob(inForce.definition), { name });
    const visible = earlier.filter((revision) => maySeeRevision(c.var.caller, revision));
    const view = shownJobView({ ...job, revisions: [inForce, ...visible] });
    c.header('etag', tagOfJob(view));
    return c.json(view, 200);
  });
}

function addEditRoutes(api: Api): void {
  api.openapi(replaceRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const condition = requireCondition(c.req.valid('header')['if-match']);
    const words = readJsonWords(c.req.valid('json'));
    const edit = { name, condition, upstreams: words, wordsFrom: () => words };
    const { changed, warnings } = await editWords(c.var, edit);
    c.header('etag', tagOfJob(changed));
    return c.json(changedJobView(name, changed, warnings), 200);
  });
  api.openapi(patchRoute, async (c) => {
    const { job: name } = c.req.valid('param');
    const condition = requireCondition(c.req.valid('header')['if-match']);
    const { origin, ...words } = c.req.valid('json');
    const patch: Readonly<Record<string, unknown>> = words;
    const edit = {
      ...{ name, condition, origin },
      upstreams: readJsonWords({ after: patch.after }),
      wordsFrom: (current: Parameters<typeof wordsView>[0]) =>
        readJsonWords(mergeJsonWords(wordsView(current), patch)),
    };
    const { changed, warnings } = await editWords(c.var, edit);
    c.header('etag', tagOfJob(changed));
    return c.json(changedJobView(name, changed, warnings), 200);
  });
}
