import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { runLife } from '../schemas/runLife.ts';
import {
  alike,
  answerSchema,
  described,
  inputSchema,
  instantOrAgo,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  runIdText,
  several,
  trigger,
  variables,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const run = answerSchema('Run', {
  ...alike(z.string(), 'job', 'group'),
  nodeName: z.string().describe("The node that the slot belongs to; `''`: any node."),
  runId: z.int().nullable().describe('Its number in the history; null: it has not ended.'),
  launchId: z.string().nullable().describe('Null: the tick did not start.'),
  trigger,
  scheduledFor: isoInstant.describe('The tick, or when the run was requested.'),
  ...described(isoInstant.nullable(), {
    startedAt: 'Null: nothing was started.',
    endedAt: 'Null: it has not ended.',
    scheduledUntil: 'The last tick, where one row stands for several.',
  }),
  result: z.enum(runResults).nullable().describe('Null: it has not ended.'),
  exitCode: z.int().nullable().describe('Of the command; null: it did not exit by itself.'),
  ...described(z.string().nullable(), {
    signal: 'The signal that ended the command.',
    node: 'The node that ran it.',
    reason: 'Why it ended like this, for people.',
    requestId: 'The request that it came from; null: the schedule.',
    outputFile: 'The file with all that it wrote, on its node; null: there is none.',
    outputCommand: 'What shows it from the journal of its node; null: it is not there.',
  }),
  ...described(z.int(), {
    slotNo: 'The slot of the job.',
    attempt: 'The first try is 1, a retry 2 and so on.',
    outputBytes: 'How much it wrote; less may be kept.',
    ticks: 'How many ticks the row stands for.',
    revision: 'The revision of the job.',
  }),
  isFinal: z.boolean().describe('False: another attempt follows.'),
  variables: z
    .array(z.string())
    .optional()
    .describe('Of one run that is read: the names of the variables that its request gave it.'),
  life: runLife
    .optional()
    .describe('Of one run that is read: its phases, as far as the database knows them.'),
  lastLine: z
    .string()
    .optional()
    .describe('The last line that it wrote: of a list with `lastLine`, where the run failed.'),
});
export type RunView = Shown<typeof run>;

const runPage = answerSchema('RunPage', { items: z.array(run), next: nextPage });

const runQuery = z.strictObject({
  job: nameText.optional().describe('Only runs of the job of this name, also of a removed one.'),
  request: runIdText.optional().describe('Only runs of this request id.'),
  result: several(z.string().max(16), runResults.length)
    .optional()
    .describe(`Only these results: ${runResults.join(', ')}.`),
  node: nameText.optional().describe('Only runs of this node.'),
  group: several(nameText, 100).optional().describe('Only runs of jobs of these groups.'),
  final: yesOrNo().optional().describe('Only the last attempt of each tick.'),
  since: instantOrAgo().optional().describe('Only runs that ended then or later.'),
  until: instantOrAgo().optional().describe('Only runs that ended before.'),
  running: yesOrNo()
    .optional()
    .describe('The runs under way instead of those that have ended, in one page.'),
  lastLine: yesOrNo()
    .optional()
    .describe('With the last line of what runs wrote that failed, of the first 50 of a page.'),
  ...pageQuery(1_000),
});

const log = answerSchema('RunLog', {
  launchId: z.string().nullable(),
  ...described(z.int(), {
    outputBytes: 'How much it wrote.',
    keptBytes: 'How much of it is kept: the beginning and the end.',
  }),
  ...described(z.string(), {
    text: 'The output that is kept, as UTF-8.',
    base64: 'The same bytes in base64.',
  }),
});

const seenBytes = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('How many bytes of the output you have already (0).');
const liveOptions = inputSchema('LiveOptions', { seenBytes });

const liveLook = answerSchema('LiveLook', {
  outputBytes: z.int().describe('How much it has written so far.'),
  base64: z.string().nullable().describe('Its last bytes; null: nothing new.'),
  isReported: z.boolean().describe('False: its node has not sent anything yet; repeat.'),
});

const stopped = answerSchema('RunStopped', {
  launchId: z.string().nullable(),
  answer: z
    .enum(['withdrawn', 'asked', 'ended'])
    .describe(
      '`withdrawn`: it had not started and never will; `asked`: its node ends it; `ended`: an ' +
        'earlier request had stopped it.',
    ),
  withdrawn: z.int().describe('Launches of the request that had not started and never will.'),
});

const retryOptions = inputSchema('RetryOptions', {
  env: variables
    .optional()
    .describe("Variables for it, over those of the run's request and of the job."),
});

const retried = answerSchema('RunRetried', {
  job: z.string(),
  launchId: z.string().describe('The run that is tried again.'),
  requestId: z.string().nullable().describe('The request; null: the schedule started it.'),
  attempt: z.int().describe('The number of the new attempt.'),
  isNew: z.boolean().describe('False: the attempt was requested before.'),
});

export const runContract = {
  'GET /runs': {
    ...{ id: 'listRuns', role: 'viewer', tag: 'runs' },
    summary: 'List runs, newest first',
    description:
      'The history in pages, by the time of the end. A page may be short or empty before the ' +
      'last one: continue with `after` until `next` is null.',
    ...{ query: runQuery, answers: 'A page of the runs.', answer: runPage },
  },
  'GET /runs/{run}': {
    ...{ id: 'readRun', role: 'viewer', tag: 'runs' },
    summary: 'Read a run',
    description: 'Of a request with several attempts: the newest.',
    ...{ answers: 'The run.', answer: run },
  },
  'POST /runs/{run}/stop': {
    ...{ id: 'stopRun', role: 'operator', tag: 'runs' },
    summary: 'Stop a run',
    description:
      'Ends the command and all its processes. Of a request also the launches that still wait.',
    body: z.strictObject({
      waitingOnly: z
        .boolean()
        .optional()
        .describe('Withdraw only launches of the request that wait; a run under way continues.'),
    }),
    ...{ isBodyOptional: true, answers: 'What happens to the run.', answer: stopped },
  },
  'POST /runs/{run}/retry': {
    ...{ id: 'retryRun', role: 'operator', tag: 'runs' },
    summary: 'Retry a run',
    description:
      'Requests one more attempt of a run that has ended. A repeat while that attempt waits or ' +
      'runs adds nothing. With `env` the same tick runs as a request of its own instead.',
    ...{ body: retryOptions, isBodyOptional: true },
    ...{ status: 202, answers: 'The attempt is requested.', answer: retried },
  },
  'GET /runs/{run}/log': {
    ...{ id: 'readLog', role: 'viewer', tag: 'runs' },
    summary: 'Read the output of a run',
    description: 'The output that is kept: of a long one the beginning and the end.',
    query: z.strictObject({
      format: z
        .enum(['text', 'json'])
        .optional()
        .describe('`text`: the bytes as they are (default); `json`: with their sizes.'),
    }),
    answers: 'The output; empty when none is kept.',
    content: { 'text/plain': { schema: z.string() } },
    answer: log,
  },
  'POST /runs/{run}/live': {
    ...{ id: 'readLive', role: 'viewer', kept: 'look', tag: 'runs' },
    summary: 'Read the new output of a run under way',
    description: 'The node reports output while it is requested: repeat within ten seconds.',
    ...{ body: liveOptions, isBodyOptional: true, answers: 'The new output.', answer: liveLook },
  },
  'POST /runs/{run}/follow': {
    ...{ id: 'followRun', role: 'viewer', kept: 'look', tag: 'runs' },
    summary: 'Follow the output of a run',
    description:
      'A stream of the output. It ends with the run, when nothing was written for a while, after ' +
      'a quarter of an hour, when the client does not read, or when the token is no longer ' +
      'valid: read whether the run has ended, else repeat with `seenBytes`.',
    ...{ body: liveOptions, isBodyOptional: true, answers: 'The output, as it is written.' },
    content: { 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;
