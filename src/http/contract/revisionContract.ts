import { z } from '@hono/zod-openapi';
import {
  alike,
  answerSchema,
  ifMatchHeader,
  inputSchema,
  instant,
  isoInstant,
  timeText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import { changedJobSchema, revisionSchema } from './jobContract.ts';
import { type Contract, revisionMax } from './routeContract.ts';

const revisionDiff = answerSchema('RevisionDiff', {
  job: z.string(),
  ...alike(z.int(), 'from', 'to'),
  paused: z.object(alike(z.boolean(), 'before', 'after')),
  changes: z.array(
    z.object({ field: z.string(), ...alike(z.unknown().nullable(), 'before', 'after') }),
  ),
});

const ticks = answerSchema('Ticks', {
  next: z.array(isoInstant),
  marks: z
    .record(z.string(), z.enum(['shifted', 'first pass', 'second pass']))
    .optional()
    .describe("What the zone's clock does at some of them, by instant."),
});

/** The revisions of a job, and the ticks of the one in force. */
export const revisionContract = {
  'GET /jobs/{job}/revisions': {
    ...{ id: 'listRevisions', role: 'viewer', tag: 'revisions' },
    summary: 'List the revisions of a job, newest first',
    query: z.strictObject({
      limit: wholeNumber(1, 100).optional(),
      after: wholeNumber(1, revisionMax).optional(),
    }),
    answers: 'A page of them.',
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
      from: wholeNumber(1, revisionMax).optional().describe('The other revision (the one before).'),
    }),
    ...{ answers: 'The fields that differ.', answer: revisionDiff },
  },
  'POST /jobs/{job}/rollback': {
    ...{ id: 'rollbackJob', role: 'operator', tag: 'revisions' },
    summary: 'Give a job the definition of an earlier revision',
    description:
      'Makes a new revision. Whether the job is paused stays, and so do the values of its secret ' +
      'variables. If-Match may be left out.',
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
    summary: "List a job's next ticks",
    description: 'Those that its schedule names from now on; none while it is paused.',
    query: z.strictObject({ count: wholeNumber(1, 1_000).optional() }),
    ...{ answers: 'The ticks.', answer: ticks.omit({ marks: true }) },
  },
} as const satisfies Contract;

const previewOptions = inputSchema('PreviewOptions', {
  cron: z.union([z.string().max(1_024), z.array(z.string().max(1_024)).min(1).max(20)]),
  timezone: z.string().max(100).optional(),
  from: instant().optional().describe('Strictly after this instant (now).'),
  count: z.int().min(1).max(1_000).optional(),
  name: z.string().max(1_024).optional().describe('What H is computed from.'),
  dialect: z.enum(['unix', 'quartz']).optional(),
  dstGap: z.enum(['skip', 'shift']).optional(),
  dstFold: z.enum(['first', 'second', 'both']).optional(),
  ...alike(timeText.optional(), 'notBefore', 'notAfter'),
  exclude: z.array(z.string().max(1_024)).max(100).optional(),
});

export const scheduleContract = {
  'POST /schedule/preview': {
    ...{ id: 'previewSchedule', role: 'viewer', kept: 'look', tag: 'schedule' },
    summary: 'Preview the next ticks of a schedule',
    description: 'Changes nothing and reads no database.',
    ...{ body: previewOptions, answers: 'The ticks.', answer: ticks },
  },
} as const satisfies Contract;
