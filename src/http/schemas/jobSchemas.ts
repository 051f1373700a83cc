import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { jobSorts } from '../../store/jobs/selectPage.ts';
import { fieldsSchema } from './fieldsSchema.ts';
import { nameText, pageQuery, several, wholeNumber, yesOrNo } from './querySchemas.ts';

const isoText = z.iso.datetime().openapi({ example: '2030-01-31T09:30:00.000Z' });
const triggers = ['schedule', 'manual', 'misfire', 'queue', 'retry', 'backfill', 'chain'] as const;

/** An instant in UTC with milliseconds. */
export const isoInstant = isoText;

const definitionSchema = z
  .looseObject({
    name: z.string(),
    schedule: z.string(),
    timezone: z.string(),
    command: z.string(),
  })
  .openapi('JobDefinition', { description: 'A job as it is stored, without values of secrets.' });

const listedJobSchema = z
  .object({
    job: z.string(),
    jobId: z.int(),
    group: z.string(),
    tags: z.array(z.string()),
    kind: z.enum(['single', 'every-node']),
    schedule: z.string(),
    moreSchedules: z.array(z.string()),
    timezone: z.string(),
    command: z.string().openapi({ description: 'Its beginning; all of it with `full`.' }),
    description: z.string().nullable(),
    paused: z.boolean(),
    resumeAt: isoText.nullable(),
    revision: z.int(),
    next: isoText.nullable(),
    prepared: z.int(),
    executing: z.int(),
    lastResult: z.enum(runResults).nullable(),
    lastEndedAt: isoText.nullable(),
    definition: definitionSchema.optional(),
  })
  .openapi('JobListed');

export const jobPageSchema = z
  .object({
    items: z.array(listedJobSchema),
    next: z.string().nullable().openapi({
      description: '`after` of the next page; null: there is none. A page may be short before.',
    }),
  })
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
    slotNo: z.int(),
    stripe: z.int(),
    state: z.enum(['idle', 'prepare', 'executing']),
    trigger: z.enum(triggers).nullable(),
    launchId: z.string().nullable(),
    node: z.string().nullable(),
    stopping: z.boolean(),
    nextRunAt: isoText.nullable(),
    cursorAt: isoText.nullable(),
    scheduledFor: isoText.nullable(),
    startedAt: isoText.nullable(),
  })
  .openapi('Slot');

export const revisionSchema = z
  .object({
    revision: z.int(),
    paused: z.boolean(),
    reason: z.string().nullable(),
    inForceFrom: isoText,
    inForceUntil: isoText.nullable(),
    definition: definitionSchema,
  })
  .openapi('Revision');

export const shownJobSchema = z
  .object({
    job: z.string(),
    jobId: z.int(),
    revision: z.int(),
    group: z.string(),
    paused: z.boolean(),
    resumeAt: isoText.nullable(),
    createdAt: isoText,
    now: isoText.openapi({ description: "The database's clock." }),
    fields: fieldsSchema,
    definition: definitionSchema,
    next: z.array(isoText).openapi({ description: 'Its next ticks; none while it is paused.' }),
    pending: z.int(),
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

export const addedJobSchema = z
  .object({
    job: z.string(),
    jobId: z.int(),
    revision: z.int(),
    timezone: z.string(),
    inForceFrom: isoText,
    next: isoText.nullable(),
    warnings: z.array(z.string()),
  })
  .openapi('JobAdded');

export const changedJobSchema = z
  .object({
    job: z.string(),
    jobId: z.int(),
    changed: z.boolean().openapi({ description: 'False: there was nothing to change.' }),
    revision: z.int(),
    inForceFrom: isoText,
    next: isoText.nullable(),
    executing: z
      .int()
      .nullable()
      .openapi({
        description:
          'Runs that had started before and go on. With 0, no process of an earlier revision ' +
          'begins after the answer. Null: it is not known.',
      }),
    warnings: z.array(z.string()),
  })
  .openapi('JobChanged');
