import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import {
  alike,
  answerSchema,
  inputSchema,
  instantOrAgo,
  isoInstant,
  nameText,
  nextPage,
  pageQuery,
  runIdText,
  several,
  trigger,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const run = answerSchema('Run', {
  ...alike(z.string(), 'job', 'group', 'nodeName'),
  runId: z.int().nullable().describe('Null while it has no row of the history.'),
  launchId: z.string().nullable().describe('Null for ticks without a launch.'),
  trigger,
  scheduledFor: isoInstant,
  ...alike(isoInstant.nullable(), 'startedAt', 'endedAt', 'scheduledUntil'),
  result: z.enum(runResults).nullable().describe('Null: it has not ended.'),
  exitCode: z.int().nullable(),
  ...alike(z.string().nullable(), 'signal', 'node', 'reason', 'requestId'),
  ...alike(z.int(), 'slotNo', 'attempt', 'outputBytes', 'ticks', 'revision'),
  isFinal: z.boolean(),
});
export type RunView = Shown<typeof run>;

const runPage = answerSchema('RunPage', { items: z.array(run), next: nextPage });

const runQuery = z.strictObject({
  job: nameText.optional().describe('Of the job of this name, removed ones too.'),
  request: runIdText.optional().describe('That came by this request.'),
  result: several(z.string().max(16), runResults.length).optional(),
  node: nameText.optional().describe('That this node had.'),
  final: yesOrNo().optional().describe('Only last attempts.'),
  since: instantOrAgo().optional().describe('Ended then or later.'),
  until: instantOrAgo().optional().describe('Ended before.'),
  running: yesOrNo()
    .optional()
    .describe('What executes now instead of what has ended, in one page.'),
  ...pageQuery(1_000),
});

const log = answerSchema('RunLog', {
  launchId: z.string().nullable(),
  outputBytes: z.int().describe('All that it wrote.'),
  keptBytes: z.int(),
  ...alike(z.string(), 'text', 'base64'),
});

const seenBytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const liveOptions = inputSchema('LiveOptions', { seenBytes });

const liveLook = answerSchema('LiveLook', {
  outputBytes: z.int(),
  base64: z.string().nullable().describe('The last bytes; null: nothing more than was seen.'),
  isReported: z.boolean().describe('Its node has reported it.'),
});

const stopped = answerSchema('RunStopped', {
  launchId: z.string().nullable(),
  answer: z.enum(['withdrawn', 'asked', 'ended']),
  withdrawn: z.int().describe('Launches of the request that never start.'),
});

const retried = answerSchema('RunRetried', {
  job: z.string(),
  launchId: z.string(),
  requestId: z.string().nullable(),
  attempt: z.int(),
  isNew: z.boolean(),
});

export const runContract = {
  'GET /runs': {
    ...{ id: 'listRuns', role: 'viewer', tag: 'runs' },
    summary: 'List runs, newest first',
    description:
      'A page of the history, by the time of the end. A page may be short, or even empty, before ' +
      'the last: go on with `after` while `next` is not null.',
    ...{ query: runQuery, answers: 'A page of the runs.', answer: runPage },
  },
  'GET /runs/{run}': {
    ...{ id: 'readRun', role: 'viewer', tag: 'runs' },
    summary: 'Read a run',
    ...{ answers: 'The run.', answer: run },
  },
  'POST /runs/{run}/stop': {
    ...{ id: 'stopRun', role: 'operator', tag: 'runs' },
    summary: 'Stop a run',
    description: 'Of a request also what still waits for its turn.',
    body: z.strictObject({
      waitingOnly: z
        .boolean()
        .optional()
        .describe('Of a request only what still waits for its turn, not what has been claimed.'),
    }),
    ...{ isBodyOptional: true, answers: 'What becomes of it.', answer: stopped },
  },
  'POST /runs/{run}/retry': {
    ...{ id: 'retryRun', role: 'operator', tag: 'runs' },
    summary: 'Retry a run',
    description: 'A repeat while the new attempt waits or runs adds nothing.',
    ...{ status: 202, answers: 'It is requested.', answer: retried },
  },
  'GET /runs/{run}/log': {
    ...{ id: 'readLog', role: 'viewer', tag: 'runs' },
    summary: 'Read what a run wrote',
    description: 'The bytes that are kept, head and tail; or all about them in JSON.',
    query: z.strictObject({
      format: z.enum(['text', 'json']).optional().describe('As it is, or in JSON.'),
    }),
    answers: 'Nothing, when nothing is kept of it.',
    content: { 'text/plain': { schema: z.string() } },
    answer: log,
  },
  'POST /runs/{run}/live': {
    ...{ id: 'readLive', role: 'viewer', kept: 'look', tag: 'runs' },
    summary: 'Read what a run writes now',
    description: 'Its node sends it while somebody follows: repeat within ten seconds.',
    ...{ body: liveOptions, isBodyOptional: true, answers: 'What is new.', answer: liveLook },
  },
  'POST /runs/{run}/follow': {
    ...{ id: 'followRun', role: 'viewer', kept: 'look', tag: 'runs' },
    summary: 'Follow what a run writes',
    description:
      'Text in chunks until the run has ended, or it has written nothing for a while, or for a ' +
      'quarter of an hour, or until the token is in force no more: see whether it has ended, and ' +
      'repeat with the bytes that were seen. ' +
      'A client that does not read is cut.',
    ...{ body: liveOptions, isBodyOptional: true, answers: 'A stream of text.' },
    content: { 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;
