import { z } from '@hono/zod-openapi';
import { upstreamEnds } from '../../domain/job/fieldTable/upstream.ts';
import { jobStates } from '../../domain/run/jobState.ts';
import { runResults } from '../../domain/run/run.ts';
import { alike, answerSchema, isoInstant } from './textSchemas.ts';

const chainedJob = answerSchema('ChainedJob', {
  ...alike(z.string(), 'job', 'group'),
  by: z.string().describe('The job before it on the way from the one that was asked for.'),
  on: z
    .enum(Object.keys(upstreamEnds) as [keyof typeof upstreamEnds])
    .describe('The end of the upstream of the two on which the other starts.'),
  state: z.enum(jobStates).describe('As in the list of jobs.'),
  lastRunId: z.int().nullable().describe('The number of its last run.'),
  lastResult: z.enum(runResults).nullable().describe('The result of its last run.'),
  lastEndedAt: isoInstant.nullable().describe('When its last run ended.'),
  left: z.int().describe('So many jobs behind it are not shown.'),
});

const side = (description: string) =>
  answerSchema('ChainSide', {
    items: z.array(chainedJob).describe('The nearest first; a job may be reached on several ways.'),
    left: z.int().describe('So many jobs next to the one that was asked for are not shown.'),
  }).describe(description);

/** The jobs around a job, each by the way to it. */
export const chainSchema = answerSchema('Chain', {
  job: z.string(),
  jobId: z.int(),
  upstreams: side('The jobs whose ends start it, and those that start them.'),
  followers: side('The jobs that its end starts, and those that they start.'),
});
