import { z } from '@hono/zod-openapi';
import {
  alike,
  answerSchema,
  inputSchema,
  instant,
  isoInstant,
  nameText,
  requestIdText,
  timeText,
} from '../schemas/textSchemas.ts';
import { changedJobSchema } from './jobContract.ts';
import type { Contract } from './routeContract.ts';

const pause = inputSchema('Pause', {
  until: timeText
    .optional()
    .describe('An ISO instant, or a time from now on as 2h; else for good.'),
});

const runOptions = inputSchema('RunOptions', {
  requestId: requestIdText
    .optional()
    .describe('A repeat under the same id adds nothing. Default: of the Idempotency-Key.'),
  env: z.record(z.string().max(1_024), z.string().max(256 * 1024)).optional(),
  node: nameText.optional().describe('The only node that may take it.'),
  ignoreOverlap: z.boolean().optional(),
});

const runRequested = answerSchema('RunRequested', {
  job: z.string(),
  jobId: z.int(),
  requestId: z.string(),
  isNew: z.boolean().describe('False: the same request was made before.'),
});

const skipped = answerSchema('TicksSkipped', {
  job: z.string(),
  skipped: z.array(
    z.object({
      nodeName: z.string(),
      ticks: z.array(isoInstant),
      next: isoInstant.nullable(),
    }),
  ),
});

const backfillOptions = inputSchema('BackfillOptions', {
  from: instant(),
  to: instant(),
  max: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('More ticks than this are refused, not cut (1000).'),
  dryRun: z.boolean().optional(),
  requestId: requestIdText.optional(),
});

const backfilled = answerSchema('Backfilled', {
  ...alike(z.string(), 'job', 'requestId'),
  dryRun: z.boolean(),
  ...alike(z.array(isoInstant), 'ticks', 'added'),
});

/** Requests about a job. */
export const jobActionContract = {
  'POST /jobs/{job}/pause': {
    ...{ id: 'pauseJob', role: 'operator', tag: 'jobs' },
    summary: 'Pause a job',
    description:
      'No run of it starts after the answer. Runs that had started before, so many as ' +
      '`executing` says, go on; the process of one may begin a moment later.',
    ...{ body: pause, isBodyOptional: true, answers: 'The paused job.', answer: changedJobSchema },
  },
  'POST /jobs/{job}/resume': {
    ...{ id: 'resumeJob', role: 'operator', tag: 'jobs' },
    summary: 'Resume a job',
    description: 'Its schedule applies from now on; ticks that passed meanwhile are not run.',
    ...{ answers: 'The resumed job.', answer: changedJobSchema },
  },
  'POST /jobs/{job}/run': {
    ...{ id: 'runJob', role: 'operator', tag: 'jobs' },
    summary: 'Run a job now',
    description:
      'Requests one launch, of a paused job too. Read it by its request id: /runs/{run}.',
    ...{ body: runOptions, isBodyOptional: true },
    ...{ status: 202, answers: 'It is requested.', answer: runRequested },
  },
  'POST /jobs/{job}/skip-next': {
    ...{ id: 'skipNext', role: 'operator', tag: 'jobs' },
    summary: "Skip a job's next ticks",
    description: 'A repeat skips more ticks, unless it has the same Idempotency-Key.',
    body: z.strictObject({ count: z.int().min(1).max(1_000).optional() }),
    ...{ isBodyOptional: true, answers: 'They are skipped.', answer: skipped },
  },
  'POST /jobs/{job}/backfill': {
    ...{ id: 'backfillJob', role: 'operator', tag: 'jobs' },
    summary: 'Run the ticks of a range',
    description: 'Each tick is run once for a request id, however often the request is repeated.',
    ...{ body: backfillOptions, status: 202, answers: 'They are requested.', answer: backfilled },
  },
} as const satisfies Contract;
