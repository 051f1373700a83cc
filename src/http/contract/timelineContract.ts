import { z } from '@hono/zod-openapi';
import { jobStates } from '../../domain/run/jobState.ts';
import { overdueCountMax } from '../../domain/run/overdueCount.ts';
import { runResults } from '../../domain/run/run.ts';
import {
  alike,
  answerSchema,
  described,
  duration,
  instant,
  instantOrAgo,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  several,
  trigger,
  wholeNumber,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import { jobConditions } from './jobContract.ts';
import type { Contract } from './routeContract.ts';

const upcomingLaunch = answerSchema('UpcomingLaunch', {
  ...alike(z.string(), 'job', 'group', 'timezone'),
  node: z.string().nullable().describe('The node that has to run it; null: any that may.'),
  at: isoInstant.describe('When it is due.'),
  trigger,
  state: z
    .enum(jobStates)
    .describe('Of its job, as lists of jobs have it: `observed` and `cannot_run` start nothing.'),
  more: z.int().describe('How many more ticks and requests of it follow until `until`.'),
  lastAt: isoInstant.nullable().describe('The last of those; null: there are none.'),
});

const upcoming = answerSchema('Upcoming', {
  now: isoInstant.describe('The present time by the clock of the database.'),
  until: isoInstant.describe('Nothing is left out before, as far as the pages are read.'),
  overdue: z
    .int()
    .describe(`Slots due for over a minute, which are not shown; ${overdueCountMax}: or more.`),
  items: z.array(upcomingLaunch),
  next: nextPage,
});

const upcomingQuery = z.strictObject({
  within: duration().optional().describe('How far ahead (1h); at most a year.'),
  group: several(nameText, 100).optional().describe('Only jobs of these groups.'),
  allTicks: yesOrNo()
    .optional()
    .describe('Each tick by itself, in one page; else the next one of each job.'),
  ...pageQuery(500),
});

const timelineRun = answerSchema('TimelineRun', {
  ...described(z.int().nullable(), { runId: 'Its number in the history; null: it has not ended.' }),
  launchId: z.string().nullable().describe('Null: the tick did not start.'),
  result: z.enum(runResults).nullable().describe('Null: it has not ended.'),
  ticks: z.int().describe('How many ticks the row stands for.'),
  scheduledFor: isoInstant.describe('The tick, or when the run was requested.'),
  ...described(isoInstant.nullable(), {
    scheduledUntil: 'The last tick, where one row stands for several.',
    startedAt: 'Null: nothing was started.',
    endedAt: 'Null: it has not ended.',
  }),
});

const timelineBin = answerSchema('TimelineBin', {
  bin: z.int().describe('The number of the part, from 0: `binMs` each, from `from`.'),
  result: z.enum(runResults),
  ticks: z.int().describe('How many runs, skipped or missed ticks of the part ended like this.'),
});

const timelineRevision = answerSchema('TimelineRevision', {
  revision: z.int(),
  at: isoInstant.describe('Since when it is in force.'),
  paused: z.boolean(),
});

const timelineJob = answerSchema('TimelineJob', {
  ...alike(z.string(), 'job', 'group', 'timezone'),
  state: z.enum(jobStates).describe('As lists of jobs have it.'),
  binned: z
    .boolean()
    .describe('True: it has too many runs to be shown one by one; `bins` has their numbers.'),
  runs: z
    .array(timelineRun)
    .describe('Runs and other ticks; where they are binned only the runs under way.'),
  bins: z.array(timelineBin).describe('Empty unless `binned`.'),
  readFrom: isoInstant
    .nullable()
    .describe('What ended before was not read: there is more than a request reads. Null: all was.'),
  next: z.array(isoInstant).describe('Ticks to come in the range; at most 60.'),
  nextMore: z.int().describe('How many more of them there are.'),
  revisions: z
    .array(timelineRevision)
    .describe('Of the last 20 those that came into force in the range.'),
});

const timeline = answerSchema('Timeline', {
  ...alike(isoInstant, 'from', 'until'),
  now: isoInstant.describe('The present time by the clock of the database.'),
  binMs: z.number().describe('How long each bin is.'),
  items: z.array(timelineJob),
  next: nextPage,
});

const timelineQuery = z.strictObject({
  ...jobConditions,
  from: instantOrAgo().optional().describe('Where the range begins (24h).'),
  until: instant().optional().describe('Where it ends; default: an hour from now.'),
  bins: wholeNumber(1, 500).optional().describe('How many parts a binned job has (100).'),
  ...pageQuery(100),
});

export const timelineContract = {
  'GET /upcoming': {
    ...{ id: 'listUpcoming', role: 'viewer', tag: 'jobs' },
    summary: 'List what runs next',
    description:
      'Over all jobs, in order of time: ticks, retries, backfills and other requests. One entry ' +
      'for each job, so that frequent ones do not hide the rest. Paused jobs have no ticks.',
    ...{ query: upcomingQuery, answers: 'What is due.', answer: upcoming },
  },
  'GET /timeline': {
    ...{ id: 'readTimeline', role: 'viewer', tag: 'jobs' },
    summary: 'Read the runs of many jobs by time',
    description:
      'A page of jobs by name, each with its runs, skipped and missed ticks, ticks to come and ' +
      'new revisions in a range of time. A job with more runs than fit is `binned`.',
    ...{ query: timelineQuery, answers: 'The timeline of a page of jobs.', answer: timeline },
  },
} as const satisfies Contract;
