import { z } from '@hono/zod-openapi';
import { jobStates } from '../../domain/run/jobState.ts';
import {
  alike,
  answerSchema,
  duration,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  several,
  trigger,
  yesOrNo,
} from '../schemas/textSchemas.ts';
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
    .describe('Slots that have been due for over a minute and are not shown; at most 1000.'),
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

export const timelineContract = {
  'GET /upcoming': {
    ...{ id: 'listUpcoming', role: 'viewer', tag: 'jobs' },
    summary: 'List what runs next',
    description:
      'Over all jobs, in order of time: ticks, retries, backfills and other requests. One entry ' +
      'for each job, so that frequent ones do not hide the rest. Paused jobs have no ticks.',
    ...{ query: upcomingQuery, answers: 'What is due.', answer: upcoming },
  },
} as const satisfies Contract;
