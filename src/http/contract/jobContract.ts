import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { jobSorts } from '../../store/jobs/selectPage.ts';
import { fieldsPatchSchema, fieldsSchema, newJobSchema } from '../schemas/fieldsSchema.ts';
import {
  alike,
  answerSchema,
  ifMatchHeader,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  several,
  trigger,
  wholeNumber,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const definitionSchema = z
  .looseObject(alike(z.string(), 'name', 'schedule', 'timezone', 'command'))
  .openapi('JobDefinition', { description: 'A job as it is stored, without values of secrets.' });

const listedJobSchema = answerSchema('JobListed', {
  ...alike(z.string(), 'job', 'group', 'schedule', 'timezone'),
  ...alike(z.array(z.string()), 'tags', 'moreSchedules'),
  kind: z.enum(['single', 'every-node']),
  command: z.string().describe('Its beginning; all of it with `full`.'),
  description: z.string().nullable(),
  paused: z.boolean(),
  observed: z.boolean().describe('Its ticks are recorded, and none of them is started.'),
  ...alike(z.int(), 'jobId', 'revision', 'prepared', 'executing'),
  ...alike(isoInstant.nullable(), 'resumeAt', 'next', 'lastEndedAt'),
  lastResult: z.enum(runResults).nullable(),
  definition: definitionSchema.optional(),
});

const jobPageSchema = answerSchema('JobPage', { items: z.array(listedJobSchema), next: nextPage });

const jobListQuery = z.strictObject({
  text: nameText.optional().describe('Their name has this in it.'),
  prefix: nameText.optional().describe('Their name begins with this.'),
  name: several(nameText, 200).optional().describe('Only these.'),
  group: several(nameText, 100).optional().describe('Of one of these groups.'),
  tag: several(nameText, 50).optional().describe('With every one of these.'),
  paused: yesOrNo().optional(),
  sort: z.enum(jobSorts).optional(),
  full: yesOrNo().optional().describe('With the definition of each.'),
  ...pageQuery(500),
});

const slotSchema = answerSchema('Slot', {
  nodeName: z.string().describe("'' for a job that any node runs."),
  ...alike(z.int(), 'slotNo', 'stripe'),
  state: z.enum(['idle', 'prepare', 'executing']),
  trigger: trigger.nullable(),
  ...alike(z.string().nullable(), 'launchId', 'node'),
  stopping: z.boolean(),
  ...alike(isoInstant.nullable(), 'nextRunAt', 'cursorAt', 'scheduledFor', 'startedAt'),
});

export const revisionSchema = answerSchema('Revision', {
  revision: z.int(),
  paused: z.boolean(),
  reason: z.string().nullable(),
  inForceFrom: isoInstant,
  inForceUntil: isoInstant.nullable(),
  definition: definitionSchema,
});

const shownJobSchema = answerSchema('Job', {
  ...alike(z.string(), 'job', 'group'),
  ...alike(z.int(), 'jobId', 'revision', 'pending'),
  paused: z.boolean(),
  resumeAt: isoInstant.nullable(),
  createdAt: isoInstant,
  now: isoInstant.describe("The database's clock."),
  fields: fieldsSchema,
  definition: definitionSchema,
  next: z.array(isoInstant).describe('Its next ticks; none while it is paused.'),
  mayRunOn: z.array(z.string()),
  slots: z.array(slotSchema),
  revisions: z.array(revisionSchema),
});

const jobQuery = z.strictObject({
  revisions: wholeNumber(1, 100).optional().describe('How many are shown (1), within a megabyte.'),
});

const inForce = {
  job: z.string(),
  ...alike(z.int(), 'jobId', 'revision'),
  inForceFrom: isoInstant,
  next: isoInstant.nullable(),
  warnings: z.array(z.string()),
};

const addedJobSchema = answerSchema('JobAdded', { ...inForce, timezone: z.string() });

export const changedJobSchema = answerSchema('JobChanged', {
  ...inForce,
  changed: z.boolean().describe('False: there was nothing to change.'),
  executing: z
    .int()
    .nullable()
    .describe(
      'Runs that had started before and go on. With 0, no process of an earlier revision ' +
        'begins after the answer. Null: it is not known.',
    ),
});

export const jobContract = {
  'GET /jobs': {
    ...{ id: 'listJobs', role: 'viewer', tag: 'jobs' },
    summary: 'List jobs',
    description:
      'A page of the jobs, by name unless another `sort` is given. A page may be short, or ' +
      'even empty, before the last: go on with `after` while `next` is not null.',
    ...{ query: jobListQuery, answers: 'A page of the jobs.', answer: jobPageSchema },
  },
  'POST /jobs': {
    ...{ id: 'addJob', role: 'operator', tag: 'jobs' },
    summary: 'Add a job',
    ...{ body: newJobSchema, status: 201, answers: 'The new job.', answer: addedJobSchema },
  },
  'GET /jobs/{job}': {
    ...{ id: 'readJob', role: 'viewer', tag: 'jobs' },
    summary: 'Read a job',
    description: 'Its ETag names the revision: send it as If-Match with a change.',
    ...{ query: jobQuery, answers: 'The job.', answer: shownJobSchema },
  },
  'PUT /jobs/{job}': {
    ...{ id: 'replaceJob', role: 'operator', tag: 'jobs' },
    summary: 'Replace the definition of a job',
    description: 'The fields are the whole definition: one that is left out gets its default.',
    ...{ headers: ifMatchHeader, body: fieldsSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'PATCH /jobs/{job}': {
    ...{ id: 'patchJob', role: 'operator', tag: 'jobs' },
    summary: 'Change some fields of a job',
    ...{ headers: ifMatchHeader, body: fieldsPatchSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'DELETE /jobs/{job}': {
    ...{ id: 'removeJob', role: 'operator', tag: 'jobs' },
    summary: 'Remove a job',
    description: 'Its history stays. If-Match may be left out.',
    ...{ headers: ifMatchHeader, answers: 'It is removed.', answer: changedJobSchema },
  },
} as const satisfies Contract;
