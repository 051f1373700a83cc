import { z } from '@hono/zod-openapi';
import { lastResults } from '../../domain/run/run.ts';
import { bulkActions } from '../../store/jobs/bulk/bulkJobs.ts';
import {
  alike,
  answerSchema,
  described,
  inputSchema,
  instant,
  isoInstant,
  nameText,
  requestIdText,
  timeText,
  variables,
} from '../schemas/textSchemas.ts';
import { changedJobSchema, jobConditions } from './jobContract.ts';
import type { Contract } from './routeContract.ts';

/** The longest that the reason of a revision has room for. */
const noteCharactersMax = 80;

const pauseNote = z
  .string()
  .max(noteCharactersMax)
  .optional()
  .describe('Of a pause: why, for others to read. Also with no words it is kept who made it.');

const pause = inputSchema('Pause', {
  until: timeText
    .optional()
    .describe('An ISO instant, or a time from now such as `2h`. Default: until it is resumed.'),
  note: pauseNote,
});

const runOptions = inputSchema('RunOptions', {
  requestId: requestIdText
    .optional()
    .describe(
      'An id that you choose; a repeat with the same id adds nothing. Default: a new id, or one ' +
        'made from the Idempotency-Key.',
    ),
  env: variables.optional().describe('Variables for this run, beside those of the job.'),
  node: nameText.optional().describe('The only node that may run it.'),
  ignoreOverlap: z
    .boolean()
    .optional()
    .describe('Start it beside a run under way, where `parallel` allows one more.'),
});

const runRequested = answerSchema('RunRequested', {
  job: z.string(),
  jobId: z.int(),
  requestId: z.string().describe('Read the run by it: `/runs/{run}`.'),
  isNew: z.boolean().describe('False: a request with this id was made before.'),
});

const skipped = answerSchema('TicksSkipped', {
  job: z.string(),
  skipped: z.array(
    z.object({
      nodeName: z.string(),
      ticks: z.array(isoInstant).describe('The ticks that will not run.'),
      next: isoInstant.nullable().describe('The next tick that will.'),
    }),
  ),
});

const backfillOptions = inputSchema('BackfillOptions', {
  from: instant().describe('The beginning of the range.'),
  to: instant().describe('The end of the range, at most the present.'),
  max: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('A range with more ticks than this is refused (1000).'),
  dryRun: z.boolean().optional().describe('List the ticks, and request nothing.'),
  requestId: requestIdText
    .optional()
    .describe('An id that you choose; ticks that it requested before are not added again.'),
});

const backfilled = answerSchema('Backfilled', {
  ...alike(z.string(), 'job', 'requestId'),
  dryRun: z.boolean().describe('True: nothing was requested.'),
  ...described(z.array(isoInstant), {
    ticks: 'The ticks of the range.',
    added: 'Those of them that were not requested before.',
  }),
});

/** Requests about a job. */
export const jobActionContract = {
  'POST /jobs/{job}/pause': {
    ...{ id: 'pauseJob', role: 'operator', tag: 'jobs' },
    summary: 'Pause a job',
    description:
      'No run starts after the answer. Runs that had started before continue (`executing` ' +
      'counts them); the process of one may begin a moment after the answer. Of a job that is ' +
      'paused already, another end or note takes the place of the one before.',
    ...{ body: pause, isBodyOptional: true, answers: 'The paused job.', answer: changedJobSchema },
  },
  'POST /jobs/{job}/resume': {
    ...{ id: 'resumeJob', role: 'operator', tag: 'jobs' },
    summary: 'Resume a job',
    description:
      'The schedule applies again from now on. Ticks that passed during the pause do not run.',
    ...{ answers: 'The resumed job.', answer: changedJobSchema },
  },
  'POST /jobs/{job}/go-live': {
    ...{ id: 'goLive', role: 'operator', tag: 'jobs' },
    summary: 'Let an observed job run',
    description:
      'Its schedule starts runs from now on; ticks that it was observed at are not run. ' +
      'A job that is live already is left as it is, and a paused one stays paused.',
    ...{ answers: 'The job.', answer: changedJobSchema },
  },
  'POST /jobs/{job}/run': {
    ...{ id: 'runJob', role: 'operator', tag: 'jobs' },
    summary: 'Run a job now',
    description:
      'Requests one run beside the schedule, also of a paused job, and answers at once. Read ' +
      'what became of it by its request id: `/runs/{run}`.',
    ...{ body: runOptions, isBodyOptional: true },
    ...{ status: 202, answers: 'The run is requested.', answer: runRequested },
  },
  'POST /jobs/{job}/skip-next': {
    ...{ id: 'skipNext', role: 'operator', tag: 'jobs' },
    summary: 'Skip the next ticks of a job',
    description:
      'The ticks are recorded as skipped. A repeat skips further ticks, unless it has the same ' +
      'Idempotency-Key.',
    body: z.strictObject({ count: z.int().min(1).max(1_000).optional().describe('How many (1).') }),
    ...{ isBodyOptional: true, answers: 'The ticks are skipped.', answer: skipped },
  },
  'POST /jobs/{job}/backfill': {
    ...{ id: 'backfillJob', role: 'operator', tag: 'jobs' },
    summary: 'Run the ticks of a range',
    description:
      'Runs the ticks that the schedule names in the range, each once for a request id, however ' +
      'often the request is repeated.',
    ...{
      body: backfillOptions,
      status: 202,
      answers: 'The runs are requested.',
      answer: backfilled,
    },
  },
} as const satisfies Contract;

const filter = z.strictObject({
  text: jobConditions.text,
  prefix: jobConditions.prefix,
  name: z.array(nameText).min(1).max(200).optional().describe('Only the jobs of these names.'),
  group: z.array(nameText).min(1).max(100).optional().describe('Only jobs of these groups.'),
  tag: z.array(nameText).min(1).max(50).optional().describe('Only jobs that have all these tags.'),
  paused: z
    .boolean()
    .optional()
    .describe('Only paused jobs, or only others, as `pause` has them by itself.'),
  state: jobConditions.state,
  lastResult: z
    .array(z.enum(lastResults))
    .min(1)
    .optional()
    .describe('Only jobs whose last run ended like one of these.'),
  node: jobConditions.node,
  reason: jobConditions.reason,
});

const bulkChange = inputSchema('BulkChange', {
  action: z.enum(bulkActions).describe('What is done to each job that matches.'),
  filter: filter.describe('All of its conditions have to be met; without any every job matches.'),
  expected: z
    .int()
    .min(0)
    .optional()
    .describe('How many jobs have to match; absent: nothing is changed, as with `dryRun`.'),
  dryRun: z.boolean().optional().describe('List the jobs that match, and change nothing.'),
  after: z.string().max(100).optional().describe('`next` of the part before.'),
  until: timeText.optional().describe('Of `pause`: an ISO instant, or a time from now as `2h`.'),
  together: z
    .boolean()
    .optional()
    .describe(
      'Of `pause` and `resume`, with one group, one tag or neither: `resume` ends just what ' +
        '`pause` of the same paused; a job that was paused before, or added since, stays so. ' +
        'The same `pause` again gives them another end.',
    ),
  note: pauseNote,
  requestId: requestIdText
    .optional()
    .describe('Of `run`: an id that you choose; each job is run once under it.'),
});

const bulkChanged = answerSchema('BulkChanged', {
  action: z.enum(bulkActions),
  dryRun: z.boolean().describe('True: nothing was changed.'),
  ...described(z.int(), {
    matched: 'How many jobs match; of a further part how many were left before it.',
    left: 'How many are left after this part.',
  }),
  ...described(z.string().nullable(), {
    next: 'Send it as `after`, to go on; null: all is done.',
    requestId: 'Of `run`: send it with the next part, and read the runs by it.',
  }),
  jobs: z
    .array(
      z.object({
        job: z.string(),
        outcome: z
          .enum(['matched', 'changed', 'unchanged', 'refused'])
          .describe('`matched`: of `dryRun`; `unchanged`: it was so already.'),
        detail: z.string().nullable().describe('Why it was refused, for people.'),
      }),
    )
    .describe('The jobs of this part.'),
});

/** One change of many jobs. */
export const bulkContract = {
  'POST /bulk/jobs': {
    ...{ id: 'bulkJobs', role: 'operator', tag: 'jobs' },
    summary: 'Pause, resume, run or remove all jobs that match',
    description:
      'Refused with 409 `count_differs` when not `expected` jobs match. Each job is changed in a ' +
      'transaction of its own, 50 of them in one request: go on with `after` until `next` is ' +
      'null. After an error repeat the request with its Idempotency-Key: what is done stays done.',
    ...{ body: bulkChange, answers: 'What was done to each job.', answer: bulkChanged },
  },
} as const satisfies Contract;
