import { z } from '@hono/zod-openapi';
import { jobStates } from '../../domain/run/jobState.ts';
import { lastResults, runResults } from '../../domain/run/run.ts';
import { jobSorts } from '../../store/jobs/selectPage.ts';
import { chainSchema } from '../schemas/chainSchema.ts';
import { fieldsPatchSchema, fieldsSchema, newJobSchema } from '../schemas/fieldsSchema.ts';
import { muteSchema } from '../schemas/muteSchema.ts';
import { pauseShape } from '../schemas/pauseShape.ts';
import {
  alike,
  answerSchema,
  described,
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
import { whySchema } from '../schemas/whySchema.ts';
import type { Contract } from './routeContract.ts';

const definitionSchema = z
  .looseObject(alike(z.string(), 'name', 'schedule', 'timezone', 'command'))
  .openapi('JobDefinition', {
    description: 'The stored definition of a job; secret values are shown as `(secret)`.',
  });

const recentRun = answerSchema('RecentRun', {
  runId: z.int().describe('Its number in the history.'),
  result: z.enum(runResults),
  endedAt: isoInstant.describe('When it ended; of skipped and missed ticks: when that was known.'),
  durationMs: z.int().nullable().describe('How long it took; null: nothing was started.'),
});

const jobStats = answerSchema('JobStats', {
  recent: z
    .array(recentRun)
    .describe('The last rows of its history, the newest first; at most 20.'),
  ...described(z.int().nullable(), {
    durationP50Ms: 'Half of the runs among them took no longer; null: none of them ran.',
    durationP95Ms: '95 of 100 of them took no longer: of fewer than 20 the longest.',
  }),
});

const listedJobSchema = answerSchema('JobListed', {
  ...alike(z.string(), 'job', 'group', 'schedule', 'timezone'),
  ...described(z.array(z.string()), {
    tags: 'Its tags.',
    moreSchedules: 'Further schedules beside `schedule`.',
  }),
  kind: z
    .enum(['single', 'every-node'])
    .describe('`single`: one node runs each tick; `every-node`: each eligible node does.'),
  command: z.string().describe('The beginning of the command; `full` shows all of it.'),
  description: z.string().nullable(),
  state: z
    .enum(jobStates)
    .describe(
      'The first that fits. `running`: a run is under way; `paused`; `observed`: its ticks are ' +
        'recorded and not started; `cannot_run`: no live node may run it; `waiting`: a launch is ' +
        'due and has not started; `idle`: nothing to do before the next tick or request.',
    ),
  paused: z.boolean(),
  observed: z.boolean().describe('True: its ticks are recorded, and none of them is started.'),
  ...alike(z.int(), 'jobId', 'revision'),
  ...described(z.int(), {
    prepared: 'Launches that a node has claimed and that wait for their tick.',
    executing: 'Runs under way.',
  }),
  inForceFrom: isoInstant.describe('Since when the revision is in force.'),
  ...described(isoInstant.nullable(), {
    resumeAt: 'When the pause ends by itself.',
    next: 'The next tick.',
    lastEndedAt: 'When the last run ended.',
  }),
  lastResult: z.enum(runResults).nullable().describe('The result of the last run.'),
  lastDurationMs: z.int().nullable().describe('How long it took; null: nothing was started.'),
  stats: jobStats.optional().describe('With `stats=true`.'),
  definition: definitionSchema.optional(),
});

const jobPageSchema = answerSchema('JobPage', { items: z.array(listedJobSchema), next: nextPage });

/** Which jobs a list is about. */
export const jobConditions = {
  text: nameText.optional().describe('Only jobs whose name contains this text.'),
  prefix: nameText.optional().describe('Only jobs whose name begins with this text.'),
  name: several(nameText, 200).optional().describe('Only the jobs of these names.'),
  group: several(nameText, 100).optional().describe('Only jobs of these groups.'),
  tag: several(nameText, 50).optional().describe('Only jobs that have all of these tags.'),
  paused: yesOrNo().optional().describe('Only paused jobs, or only others.'),
  state: z.enum(jobStates).optional().describe('Only jobs in this state.'),
  lastResult: several(z.string().max(16), runResults.length)
    .optional()
    .describe(`Only jobs whose last run ended like this: ${lastResults.join(', ')}.`),
  node: nameText.optional().describe('Only jobs that this node may run, by its labels and groups.'),
  reason: nameText.optional().describe('Only jobs of the pause of many with this `reason`.'),
};

const conditions = z.strictObject(jobConditions);
export type JobConditions = z.output<typeof conditions>;

const jobListQuery = z.strictObject({
  ...jobConditions,
  sort: z.enum(jobSorts).optional().describe('The order of the jobs; default: `name`.'),
  full: yesOrNo().optional().describe('With the whole definition of each job.'),
  stats: yesOrNo().optional().describe('With the last runs of each job, and how long they took.'),
  ...pageQuery(500),
});

const slotSchema = answerSchema('Slot', {
  nodeName: z.string().describe("The node that the slot belongs to; `''`: any node."),
  ...described(z.int(), {
    slotNo: 'The number of the slot; a job with `parallel` has several.',
    stripe: 'Which of the 64 locks guards the slot.',
  }),
  state: z
    .enum(['idle', 'prepare', 'executing'])
    .describe('`prepare`: claimed, and waiting for its tick; `executing`: the run has started.'),
  trigger: trigger.nullable(),
  ...described(z.string().nullable(), {
    launchId: 'The launch that the slot holds.',
    node: 'The node that has claimed the slot.',
  }),
  stopping: z.boolean().describe('True: the run was requested to stop.'),
  ...described(isoInstant.nullable(), {
    nextRunAt: 'When the slot is due next.',
    cursorAt: 'The next tick that is not claimed yet.',
    scheduledFor: 'The tick of the launch.',
    startedAt: 'When the run started.',
  }),
});

export const revisionSchema = answerSchema('Revision', {
  revision: z.int(),
  paused: z.boolean(),
  reason: z.string().nullable().describe('Why it was made, where it was not an edit.'),
  inForceFrom: isoInstant.describe('The first instant that it applies to.'),
  inForceUntil: isoInstant.nullable().describe('Null: it is the current revision.'),
  definition: definitionSchema,
});

const shownJobSchema = answerSchema('Job', {
  ...alike(z.string(), 'job', 'group'),
  ...alike(z.int(), 'jobId', 'revision'),
  pending: z.int().describe('Requested launches and queued ticks that wait to start.'),
  paused: z.boolean(),
  resumeAt: isoInstant.nullable().describe('When the pause ends by itself.'),
  pause: z.object(pauseShape).nullable().describe('Null: it is not paused.'),
  createdAt: isoInstant,
  now: isoInstant.describe('The present time by the clock of the database.'),
  fields: fieldsSchema,
  definition: definitionSchema,
  next: z.array(isoInstant).describe('The next ticks; empty while the job is paused.'),
  mayRunOn: z.array(z.string()).describe('The live nodes that may run it.'),
  mutes: z.array(muteSchema).describe('What holds back its notifications.'),
  slots: z.array(slotSchema),
  revisions: z.array(revisionSchema),
});

const jobQuery = z.strictObject({
  revisions: wholeNumber(1, 100)
    .optional()
    .describe('How many revisions are shown, newest first (1); at most about 1 MiB of them.'),
});

const inForce = {
  job: z.string(),
  ...alike(z.int(), 'jobId', 'revision'),
  inForceFrom: isoInstant.describe('The first instant that the revision applies to.'),
  next: isoInstant.nullable().describe('The next tick; null: there is none, or the job is paused.'),
  warnings: z.array(z.string()).describe('What may not be as intended, for people.'),
};

const addedJobSchema = answerSchema('JobAdded', { ...inForce, timezone: z.string() });

export const changedJobSchema = answerSchema('JobChanged', {
  ...inForce,
  changed: z.boolean().describe('False: the job was like this already.'),
  executing: z
    .int()
    .nullable()
    .describe(
      'Runs that had started before and continue. 0: no process of an earlier revision begins ' +
        'after this answer. Null: unknown.',
    ),
});

export const jobContract = {
  'GET /jobs': {
    ...{ id: 'listJobs', role: 'viewer', tag: 'jobs' },
    summary: 'List jobs',
    description:
      'Jobs in pages, by name unless `sort` is given. A page may be short or empty before the ' +
      'last one: continue with `after` until `next` is null.',
    ...{ query: jobListQuery, answers: 'A page of the jobs.', answer: jobPageSchema },
  },
  'POST /jobs': {
    ...{ id: 'addJob', role: 'operator', tag: 'jobs' },
    summary: 'Add a job',
    description: 'Its schedule applies from now on. The header Location has its address.',
    ...{ body: newJobSchema, status: 201, answers: 'The new job.', answer: addedJobSchema },
  },
  'GET /jobs/{job}': {
    ...{ id: 'readJob', role: 'viewer', tag: 'jobs' },
    summary: 'Read a job',
    description: 'The ETag of the answer names the revision: send it as If-Match with a change.',
    ...{ query: jobQuery, answers: 'The job.', answer: shownJobSchema },
  },
  'GET /jobs/{job}/why': {
    ...{ id: 'whyJob', role: 'viewer', tag: 'jobs' },
    summary: 'Read why a job has not run',
    description:
      'Everything that may keep it from running, looked at now, and when it will run. Of a job ' +
      'that was removed it says when.',
    ...{ answers: 'The answer, with each check.', answer: whySchema },
  },
  'GET /jobs/{job}/chain': {
    ...{ id: 'readChain', role: 'viewer', tag: 'jobs' },
    summary: 'Read the chain around a job',
    description:
      'The jobs that start it and those that it starts, with their last results. Few levels and ' +
      'jobs each way are shown, and none of groups that the token is not for.',
    ...{ answers: 'The chain.', answer: chainSchema },
  },
  'PUT /jobs/{job}': {
    ...{ id: 'replaceJob', role: 'operator', tag: 'jobs' },
    summary: 'Replace the definition of a job',
    description: 'The body is the whole definition: a field that is left out gets its default.',
    ...{ headers: ifMatchHeader, body: fieldsSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'PATCH /jobs/{job}': {
    ...{ id: 'patchJob', role: 'operator', tag: 'jobs' },
    summary: 'Change some fields of a job',
    description: 'Fields that are left out stay as they are; null sets one back to its default.',
    ...{ headers: ifMatchHeader, body: fieldsPatchSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'DELETE /jobs/{job}': {
    ...{ id: 'removeJob', role: 'operator', tag: 'jobs' },
    summary: 'Remove a job',
    description: 'Its history is kept. If-Match is optional. Runs under way continue.',
    ...{ headers: ifMatchHeader, answers: 'The job is removed.', answer: changedJobSchema },
  },
} as const satisfies Contract;
