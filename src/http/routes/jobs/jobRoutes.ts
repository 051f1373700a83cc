import { newDefinition } from '../../../domain/job/edit/buildDefinition.ts';
import { type PauseFields, readPause } from '../../../domain/job/jobPause.ts';
import { readJsonFields } from '../../../domain/job/readJsonFields.ts';
import { mergeJsonFields } from '../../../domain/jobFile/mergeJsonFields.ts';
import { requireGroup } from '../../authentication/api.ts';
import type { jobContract } from '../../contract/jobContract.ts';
import { addedJobView, changedJobView, fieldsView, shownJobView } from '../../views/jobView.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { editFields } from '../handling/editFields.ts';
import { readCondition, requireCondition, requireTag, tagOfJob } from '../handling/entityTag.ts';
import {
  groupOfJob,
  maySeeRevision,
  operateOnJob,
  requireUpstreams,
} from '../handling/jobAccess.ts';

/** All but the list, which an API has one of. */
export const jobRoutes: Omit<Handlers<typeof jobContract>, 'GET /jobs'> = {
  'POST /jobs': async ({ name, origin, ...body }, c) => {
    const pause = readPause(body as PauseFields) ?? null;
    const fields = readJsonFields(body);
    const { definition, warnings } = newDefinition(name, fields, Date.now());
    requireGroup(c.var.caller, groupOfJob(definition));
    const whole = origin === undefined ? definition : { ...definition, origin };
    const added = await c.var.operate(async (operator) => {
      await requireUpstreams(operator, c.var.caller, fields);
      return operator.addJob(whole, pause);
    });
    c.header('etag', tagOfJob(added));
    c.header('location', `/api/v1/jobs/${encodeURIComponent(name)}`);
    return addedJobView(definition, added, warnings);
  },
  'GET /jobs/{job}': async ({ job: name, revisions = 1 }, c) => {
    const job = await c.var.operate((operator) => operator.showJob(name, revisions));
    const [inForce, ...earlier] = job.revisions;
    requireGroup(c.var.caller, groupOfJob(inForce.definition), { name });
    const visible = earlier.filter((revision) => maySeeRevision(c.var.caller, revision));
    const view = shownJobView({ ...job, revisions: [inForce, ...visible] });
    c.header('etag', tagOfJob(view));
    return view;
  },
  'PUT /jobs/{job}': async ({ job: name, 'if-match': tag, ...body }, c) => {
    const condition = requireCondition(tag);
    const fields = readJsonFields(body);
    const edit = { name, condition, upstreams: fields, fieldsFrom: () => fields };
    const { changed, warnings } = await editFields(c.var, edit);
    c.header('etag', tagOfJob(changed));
    return changedJobView(name, changed, warnings);
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
    c.header('etag', tagOfJob(changed));
    return changedJobView(name, changed, warnings);
  },
  'DELETE /jobs/{job}': async ({ job: name, 'if-match': tag }, c) => {
    const condition = readCondition(tag);
    const removed = await operateOnJob(c.var, name, (operator) =>
      operator.removeJob(name, (job) => requireTag(condition ?? '*', tagOfJob(job))),
    );
    return changedJobView(name, removed);
  },
};
