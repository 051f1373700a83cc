import { newDefinition } from '../../../domain/job/edit/buildDefinition.ts';
import { type PauseFields, readPause } from '../../../domain/job/edit/jobPause.ts';
import { readJsonFields } from '../../../domain/job/readJsonFields.ts';
import { mergeJsonFields } from '../../../domain/jobFile/mergeJsonFields.ts';
import { type JobPage, pageOfJobs } from '../../../store/jobs/pageOfJobs.ts';
import { SingleFlight } from '../../admission/singleFlight.ts';
import { maySeeGroup, requireGroup } from '../../authentication/api.ts';
import type { jobContract } from '../../contract/jobContract.ts';
import { definitionOf, fieldsView, listedJobView } from '../../views/jobView.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { withoutUndefined } from '../handling/badField.ts';
import { changedAnswer, editFields } from '../handling/editFields.ts';
import { readCondition, requireCondition, requireTag, tagOfJob } from '../handling/entityTag.ts';
import { groupOfJob, operateOnJob, requireUpstreams } from '../handling/jobAccess.ts';
import { readJobConditions } from '../handling/jobConditions.ts';

/** All but the list, which an API has one of. */
export const jobRoutes: Omit<Handlers<typeof jobContract>, 'GET /jobs'> = {
  'POST /jobs': async ({ name, origin, ...body }, c) => {
    const fields = readJsonFields(body);
    const { definition, warnings } = newDefinition(name, fields, Date.now());
    const pause = readPause(body as PauseFields, definition.timezone) ?? null;
    requireGroup(c.var.caller, groupOfJob(definition));
    const whole = origin === undefined ? definition : { ...definition, origin };
    const added = await c.var.operate(async (operator) => {
      await requireUpstreams(operator, c.var.caller, fields);
      return operator.addJob(whole, pause);
    });
    c.header('etag', tagOfJob(added));
    c.header('location', `/api/v1/jobs/${encodeURIComponent(name)}`);
    return { ...added, warnings };
  },
  'GET /jobs/{job}': async ({ job: name, revisions = 1 }, c) => {
    const job = await c.var.operate((operator) => operator.showJob(name, revisions));
    requireGroup(c.var.caller, job.group, { name });
    const maySee = (each: (typeof job.revisions)[number]): boolean =>
      maySeeGroup(c.var.caller, groupOfJob(definitionOf(each)));
    c.header('etag', tagOfJob(job));
    return { ...job, revisions: job.revisions.filter(maySee) };
  },
  'GET /jobs/{job}/why': async ({ job: name }, c) => {
    const why = await c.var.operate((operator) => operator.whyJob(name));
    requireGroup(c.var.caller, why.group, { name });
    return why;
  },
  'GET /jobs/{job}/chain': ({ job: name }, c) =>
    operateOnJob(c.var, name, (operator) => operator.readChain(name)),
  'PUT /jobs/{job}': async ({ job: name, 'if-match': tag, ...body }, c) => {
    const condition = requireCondition(tag);
    const fields = readJsonFields(body);
    const edit = { name, condition, upstreams: fields, fieldsFrom: () => fields };
    const { changed, warnings } = await editFields(c.var, edit);
    return changedAnswer(c, changed, warnings);
  },
  'PATCH /jobs/{job}': async ({ job: name, 'if-match': tag, origin, ...fields }, c) => {
    const condition = requireCondition(tag);
    const patch: Readonly<Record<string, unknown>> = fields;
    const edit = {
      ...{ name, condition, origin },
      upstreams: readJsonFields({ after: patch.after }),
      fieldsFrom: (current: Parameters<typeof fieldsView>[0]) =>
        readJsonFields(mergeJsonFields(fieldsView(current), patch)),
    };
    const { changed, warnings } = await editFields(c.var, edit);
    return changedAnswer(c, changed, warnings);
  },
  'DELETE /jobs/{job}': async ({ job: name, 'if-match': tag }, c) => {
    const condition = readCondition(tag);
    return operateOnJob(c.var, name, (operator) =>
      operator.removeJob(name, (job) => requireTag(condition ?? '*', tagOfJob(job))),
    );
  },
};

/** `GET /jobs` of one API, whose requests share their queries. */
export function jobListRoute(): Handlers<typeof jobContract>['GET /jobs'] {
  const pages = new SingleFlight<JobPage>();
  return async ({ full = false, ...query }, c) => {
    const { sort = 'name', limit = 50, after = null, stats: hasStats, ...conditions } = query;
    const request = {
      ...{ sort, after, jobsMax: limit, definitionBytesMax },
      ...{ ...readJobConditions(c.var.caller, conditions), ...withoutUndefined({ hasStats }) },
    };
    // Whoever may see the same groups and sends the same query gets the same page.
    const { jobs, next } = await pages.run(JSON.stringify(request), c.var.withChannel, (channel) =>
      pageOfJobs(channel, request),
    );
    return { items: jobs.map((job) => listedJobView(job, full)), next };
  };
}

/**
 * A page holds no more than this of definitions, whatever the limit says: four times as much took
 * the event loop 118 ms at once.
 */
export const definitionBytesMax = 1024 * 1024;
