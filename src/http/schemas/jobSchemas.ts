import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { jobSorts } from '../../store/jobs/selectPage.ts';
import { fieldsSchema } from './fieldsSchema.ts';
import {
  alike,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  several,
  trigger,
  wholeNumber,
  yesOrNo,
} from './textSchemas.ts';

const definitionSchema = z
  .looseObject(alike(z.string(), 'name', 'schedule', 'timezone', 'command'))
  .openapi('JobDefinition', { description: 'A job as it is stored, without values of secrets.' });

const listedJobSchema = z
  .object({
    ...alike(z.string(), 'job', 'group', 'schedule', 'timezone'),
    ...alike(z.array(z.string()), 'tags', 'moreSchedules'),
    kind: z.enum(['single', 'every-node']),
    command: z.string().openapi({ description: 'Its beginning; all of it with `full`.' }),
    description: z.string().nullable(),
    paused: z.boolean(),
    ...alike(z.int(), 'jobId', 'revision', 'prepared', 'executing'),
    ...alike(isoInstant.nullable(), 'resumeAt', 'next', 'lastEndedAt'),
    lastResult: z.enum(runResults).nullable(),
    definition: definitionSchema.optional(),
  })
  .openapi('JobListed');

export const jobPageSchema = z
  .object({ items: z.array(listedJobSchema), next: nextPage })
  .openapi('JobPage');

export const jobListQuery = z.strictObject({
  text: nameText.optional().openapi({ description: 'Their name has this in it.' }),
  prefix: nameText.optional().openapi({ description: 'Their name begins with this.' }),
  name: several(nameText, 200).optional().openapi({ description: 'Only these.' }),
  group: several(nameText, 100).optional().openapi({ description: 'Of one of these groups.' }),
  tag: several(nameText, 50).optional().openapi({ description: 'With every one of these.' }),
  paused: yesOrNo().optional(),
  sort: z.enum(jobSorts).optional(),
  full: yesOrNo().optional().openapi({ description: 'With the definition of each.' }),
  ...pageQuery(500),
});

const slotSchema = z
  .object({
    nodeName: z.string().openapi({ description: "'' for a job that any node runs." }),
    ...alike(z.int(), 'slotNo', 'stripe'),
    state: z.enum(['idle', 'prepare', 'executing']),
    trigger: trigger.nullable(),
    ...alike(z.string().nullable(), 'launchId', 'node'),
    stopping: z.boolean(),
    ...alike(isoInstant.nullable(), 'nextRunAt', 'cursorAt', 'scheduledFor', 'startedAt'),
  })
  .openapi('Slot');

export const revisionSchema = z
  .object({
    revision: z.int(),
    paused: z.boolean(),
    reason: z.string().nullable(),
    inForceFrom: isoInstant,
    inForceUntil: isoInstant.nullable(),
    definition: definitionSchema,
  })
  .openapi('Revision');

export const shownJobSchema = z
  .object({
    ...alike(z.string(), 'job', 'group'),
    ...alike(z.int(), 'jobId', 'revision', 'pending'),
    paused: z.boolean(),
    resumeAt: isoInstant.nullable(),
    createdAt: isoInstant,
    now: isoInstant.openapi({ description: "The database's clock." }),
    fields: fieldsSchema,
    definition: definitionSchema,
    next: z.array(isoInstant).openapi({ description: 'Its next ticks; none while it is paused.' }),
    mayRunOn: z.array(z.string()),
    slots: z.array(slotSchema),
    revisions: z.array(revisionSchema),
  })
  .openapi('Job');

export const jobQuery = z.strictObject({
  revisions: wholeNumber(1, 100)
    .optional()
    .openapi({ description: 'How many are shown (1), within a megabyte.' }),
});

const inForce = {
  job: z.string(),
  ...alike(z.int(), 'jobId', 'revision'),
  inForceFrom: isoInstant,
  next: isoInstant.nullable(),
  warnings: z.array(z.string()),
};

export const addedJobSchema = z.object({ ...inForce, timezone: z.string() }).openapi('JobAdded');

export const changedJobSchema = z
  .object({
    ...inForce,
    changed: z.boolean().openapi({ description: 'False: there was nothing to change.' }),
    executing: z
      .int()
      .nullable()
      .openapi({
        description:
          'Runs that had started before and go on. With 0, no process of an earlier revision ' +
          'begins after the answer. Null: it is not known.',
      }),
  })
  .openapi('JobChanged');
