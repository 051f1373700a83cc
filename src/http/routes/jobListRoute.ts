import { createRoute } from '@hono/zod-openapi';
import { type JobPage, pageOfJobs } from '../../store/jobs/pageOfJobs.ts';
import { type Api, needs } from '../api.ts';
import { answers } from '../schemas/answers.ts';
import { jobListQuery, jobPageSchema } from '../schemas/jobSchemas.ts';
import { SharedQuestions } from '../sharedQuestions.ts';
import { listedJobView } from '../views/jobView.ts';
import { groupsToList } from './jobAccess.ts';
import { nextLink } from './nextLink.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/jobs',
  operationId: 'listJobs',
  ...needs('viewer'),
  tags: ['jobs'],
  summary: 'List jobs',
  description:
    'A page of the jobs, by name unless another `sort` is asked for. A page may be short, or ' +
    'even empty, before the last: go on with `after` while `next` is not null.',
  request: { query: jobListQuery },
  responses: answers(200, 'A page of the jobs.', jobPageSchema),
});

/** `GET /api/v1/jobs`. */
export function addJobListRoute(api: Api): void {
  const pages = new SharedQuestions<JobPage>();
  api.openapi(listRoute, async (c) => {
    const query = c.req.valid('query');
    const { sort = 'name', limit = 50, after = null, full = false } = query;
    const asked = {
      ...{ sort, after, jobsMax: limit, definitionBytesMax },
      ...(query.text === undefined ? {} : { text: query.text }),
      ...(query.prefix === undefined ? {} : { prefix: query.prefix }),
      ...(query.name === undefined ? {} : { names: query.name }),
      ...(query.tag === undefined ? {} : { tags: query.tag }),
      ...(query.paused === undefined ? {} : { isPaused: query.paused }),
      ...groupsToList(c.var.caller, query.group),
    };
    // Whoever may see the same groups and asks for the same is shown the same.
    const { jobs, next } = await pages.ask(JSON.stringify(asked), c.var.withChannel, (channel) =>
      pageOfJobs(channel, asked),
    );
    nextLink(c, next);
    return c.json({ items: jobs.map((job) => listedJobView(job, full)), next }, 200);
  });
}

/**
 * A page holds no more than this of definitions, whatever the limit says: four times as much took
 * the event loop 118 ms at once.
 */
const definitionBytesMax = 1024 * 1024;
