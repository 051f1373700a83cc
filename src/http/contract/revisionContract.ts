import { z } from '@hono/zod-openapi';
import { revisionMax } from '../../domain/job/jobDefinition.ts';
import { fieldChanges } from '../schemas/fieldsSchema.ts';
import {
  alike,
  answerSchema,
  described,
  ifMatchHeader,
  inputSchema,
  instant,
  isoInstant,
  timeText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import { changedJobSchema, revisionSchema } from './jobContract.ts';
import type { Contract } from './routeContract.ts';

const revisionDiff = answerSchema('RevisionDiff', {
  job: z.string(),
  ...described(z.int(), { from: 'The earlier revision.', to: 'The later revision.' }),
  paused: z.object(alike(z.boolean(), 'before', 'after')),
  changes: fieldChanges,
});

const ticks = answerSchema('Ticks', {
  next: z.array(isoInstant),
  marks: z
    .record(z.string(), z.enum(['shifted', 'first pass', 'second pass']))
    .optional()
    .describe('Ticks that a clock change moves or repeats, by instant.'),
});

/** The revisions of a job, and the ticks of the one in force. */
export const revisionContract = {
  'GET /jobs/{job}/revisions': {
    ...{ id: 'listRevisions', role: 'viewer', tag: 'revisions' },
    summary: 'List the revisions of a job, newest first',
    query: z.strictObject({
      limit: wholeNumber(1, 100).optional().describe('The most items of the page.'),
      after: wholeNumber(1, revisionMax).optional().describe('`next` of the page before.'),
    }),
    answers: 'A page of revisions.',
    answer: answerSchema('RevisionPage', {
      items: z.array(revisionSchema),
      next: z.string().nullable(),
    }),
  },
  'GET /jobs/{job}/revisions/{revision}': {
    ...{ id: 'readRevision', role: 'viewer', tag: 'revisions' },
    summary: 'Read a revision of a job',
    ...{ answers: 'The revision.', answer: revisionSchema },
  },
  'GET /jobs/{job}/revisions/{revision}/diff': {
    ...{ id: 'diffRevisions', role: 'viewer', tag: 'revisions' },
    summary: 'List what a revision changed, field by field',
    query: z.strictObject({
      from: wholeNumber(1, revisionMax)
        .optional()
        .describe('The revision to compare with (the one before).'),
    }),
    ...{ answers: 'The fields that differ.', answer: revisionDiff },
  },
  'POST /jobs/{job}/rollback': {
    ...{ id: 'rollbackJob', role: 'operator', tag: 'revisions' },
    summary: 'Give a job the definition of an earlier revision',
    description:
      'Makes a new revision with that definition. Paused, observed or not, the job stays as it ' +
      'is, and so do the values of its secret variables. If-Match is optional.',
    headers: ifMatchHeader,
    body: z.strictObject({
      revision: z
        .int()
        .min(1)
        .max(revisionMax + 1),
    }),
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'GET /jobs/{job}/next': {
    ...{ id: 'readNextTicks', role: 'viewer', tag: 'jobs' },
    summary: 'List the next ticks of a job',
    description:
      'The ticks that its schedule names from now on; of a job that is paused those after the ' +
      'end of its pause, if that has one.',
    query: z.strictObject({
      count: wholeNumber(1, 1_000).optional().describe('How many ticks.'),
    }),
    ...{ answers: 'The ticks.', answer: ticks.omit({ marks: true }) },
  },
} as const satisfies Contract;

const preview = ticks
  .extend({
    sentence: z
      .string()
      .nullable()
      .describe('The schedule in English; null: no sentence is known to be true of it.'),
    zones: z
      .array(z.object({ timezone: z.string(), next: z.array(z.string()) }))
      .describe('The same ticks by the clocks of zones: that of the schedule first, UTC last.'),
  })
  .openapi('Preview');

const previewOptions = inputSchema('PreviewOptions', {
  cron: z
    .union([z.string().max(1_024), z.array(z.string().max(1_024)).min(1).max(20)])
    .describe('A schedule, or several.'),
  timezone: z.string().max(100).optional().describe('An IANA name (UTC).'),
  from: instant().optional().describe('Ticks after this instant (now).'),
  count: z.int().min(1).max(1_000).optional().describe('How many ticks.'),
  name: z.string().max(1_024).optional().describe('The name that `H` is computed from.'),
  dialect: z.enum(['unix', 'quartz']).optional().describe('`quartz`: weekdays are 1 to 7.'),
  dstGap: z
    .enum(['skip', 'shift'])
    .optional()
    .describe('What becomes of ticks that a clock change leaves out.'),
  dstFold: z
    .enum(['first', 'second', 'both'])
    .optional()
    .describe('Which of two ticks runs when a clock change repeats an hour.'),
  ...described(timeText.optional(), {
    notBefore: 'No ticks before this instant.',
    notAfter: 'No ticks after this instant.',
  }),
  exclude: z
    .array(z.string().max(1_024))
    .max(100)
    .optional()
    .describe('Dates or schedules whose ticks are left out.'),
  zones: z
    .array(z.string().max(100))
    .max(3)
    .optional()
    .describe('Further zones that the ticks are shown in, such as that of the reader.'),
});

export const scheduleContract = {
  'POST /schedule/preview': {
    ...{ id: 'previewSchedule', role: 'viewer', kept: 'look', tag: 'schedule' },
    summary: 'Preview the next ticks of a schedule',
    description: 'Computes only: it changes nothing and reads no database.',
    ...{ body: previewOptions, answers: 'The ticks.', answer: preview },
  },
} as const satisfies Contract;
