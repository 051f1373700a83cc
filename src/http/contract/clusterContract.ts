import { z } from '@hono/zod-openapi';
import { pauseShape } from '../schemas/pauseShape.ts';
import { problemSchema } from '../schemas/problemSchema.ts';
import {
  alike,
  answerSchema,
  described,
  isoInstant,
  nameText,
  timeText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

/** Who keeps a node from new work. */
const cordon = z
  .object({
    since: isoInstant,
    by: z.string().describe('Who cordoned it.'),
    note: z.string().describe("Why; `''`: nothing was said."),
  })
  .nullable();

const heldNode = answerSchema('HeldNode', {
  node: z.string(),
  cordon: cordon.describe('Null: it takes work.'),
  changed: z.boolean(),
  isLive: z.boolean(),
  ...described(z.int(), {
    withdrawn: 'Prepared launches that it gave back to the other nodes.',
    prepared: 'Launches that it has claimed and that wait for their tick.',
    executing: 'Runs under way on it.',
  }),
});
export type HeldNodeView = Shown<typeof heldNode>;

const cordonBody = {
  body: z.strictObject({
    note: z.string().max(500).optional().describe('Why, for people.'),
  }),
  isBodyOptional: true,
} as const;

const session = answerSchema('Session', {
  ...described(z.string(), {
    sessionId: 'One life of a node process.',
    node: 'The name of the node.',
    host: 'Its host name.',
    version: 'Its version of statecron.',
    timezoneData: 'Its version of the time zone data.',
  }),
  state: z.enum(['live', 'ended']),
  ...described(z.int(), {
    processId: 'The process id of the node.',
    capacity: 'How many launches it holds at most.',
    concurrency: 'How many runs it executes at once.',
    level: '1 is the highest; nodes of a lower level take over when the higher ones are gone.',
    definitionFormat: 'The newest format of definitions that it understands.',
    ttlMs: 'After so long without a renewal others end the session.',
    renewedAgoMs: 'How long ago it was renewed.',
    prepared: 'Launches that it has claimed and that wait for their tick.',
    executing: 'Runs under way.',
  }),
  guardianProcessId: z.int().nullable().describe('The process that watches the node.'),
  labels: z.array(z.string()).describe('What jobs can choose it by.'),
  users: z
    .array(z.string())
    .nullable()
    .describe('Those that it runs jobs as which name a user; null: an earlier version, not known.'),
  isDraining: z.boolean().describe('True: it finishes its runs and takes no more.'),
  cordon: cordon.describe('Who keeps it from new work, also after a restart; null: nobody.'),
  startedAt: isoInstant,
  endedAt: isoInstant.nullable(),
  endedWhy: z.string().nullable().describe('Why it ended, for people.'),
  stripes: z.array(z.int()).describe('The locks of slots that it looks ahead on, all or some.'),
  share: z.number().describe('How much of all slots it looks ahead on: 1 is all of them.'),
});

const pause = z.object({
  jobs: z.int().describe('How many jobs are paused by it still.'),
  ...pauseShape,
  reason: z.string().describe('Send it as `reason` to `GET /jobs`, to list just these jobs.'),
  together: z
    .object({ group: z.string().optional(), tag: z.string().optional() })
    .nullable()
    .describe('`filter` of `POST /bulk/jobs`, which resumes them `together`; null: nothing does.'),
  warning: z.string().describe('What `warnings` says of it.'),
});

const cluster = answerSchema('Cluster', {
  now: isoInstant.describe('The present time by the clock of the database.'),
  ...described(z.int(), {
    jobs: 'All jobs; above 10,000 as last counted: up to a minute ago, or 100 times what it took.',
    overdue: 'Slots whose tick is overdue.',
  }),
  unrunnable: z.object({
    jobs: z.int().describe('Jobs that no live node may run, counted up to 10,000.'),
    names: z.array(z.string()).describe('The first of them, as far as the token may see them.'),
  }),
  warnings: z.array(z.string()).describe('What may be wrong, for people.'),
  pauses: z.array(pause).describe('The pauses of many jobs that have not ended, 10 at most.'),
  sessions: z.array(session),
});
export type ClusterView = Shown<typeof cluster>;

const relevantSession = z.object({
  ...alike(z.string(), 'sessionId', 'nodeName'),
  isLive: z.boolean(),
  ...alike(z.int(), 'beats', 'ttlMs'),
  ...alike(z.int().optional(), 'level', 'definitionFormat'),
  labels: z.array(z.string()).optional(),
  isDraining: z.boolean().optional(),
  isCordoned: z.boolean().optional(),
  users: z.array(z.string()).nullable().optional(),
});
const sessions = answerSchema('Sessions', {
  sessions: z.array(relevantSession),
  databaseNowMs: z.number().nullable(),
  targetingVersion: z.int().optional(),
});

const finding = answerSchema('Finding', {
  code: z.string().describe('A stable code, for example `tick_missing`.'),
  severity: z.enum(['broken', 'warning']),
  ...described(z.string(), {
    promise: 'The promise that is broken.',
    message: 'What was found.',
    meaning: 'What that can mean.',
    look: 'Where to look further.',
  }),
  ...alike(z.string().nullable(), 'job', 'launchId'),
  ...described(isoInstant.nullable(), {
    tick: 'The tick, or the first of several.',
    tickUntil: 'The last of several ticks.',
  }),
  ticks: z.int().describe('How many ticks it is about.'),
});

const verification = answerSchema('Verification', {
  at: isoInstant.describe('The time of the snapshot.'),
  since: isoInstant.nullable().describe('Null: the whole history.'),
  ticks: z.int().describe('Ticks that were due, all of them accounted for or in `findings`.'),
  ...described(z.int(), {
    jobs: 'Jobs that were verified, removed ones among them.',
    runs: 'Rows of the history that were read.',
    broken: 'Broken promises.',
    warnings: 'Warnings.',
    leftOut: 'Findings beside those that are listed.',
  }),
  removed: z.int().optional().describe('Of the jobs those that are removed.'),
  counts: z.record(z.string(), z.int()).describe('Findings by code.'),
  findings: z.array(finding),
});
export type VerificationView = Shown<typeof verification>;

/** One line of the answer. */
const verifyLine = z
  .union([
    z.object({ progress: z.object({ jobs: z.int(), runs: z.int() }) }),
    z.object({ verification }),
    z.object({ problem: problemSchema }),
  ])
  .openapi('VerifyLine');
export type VerifyLine = Shown<typeof verifyLine>;

export const clusterContract = {
  'GET /cluster': {
    ...{ id: 'readCluster', role: 'viewer', tag: 'cluster' },
    summary: 'Read the nodes and warnings',
    description: 'Live sessions and those that ended lately, and what may be wrong with settings.',
    query: z.strictObject({
      endedWithinMs: wholeNumber(0, 366 * 86_400_000)
        .optional()
        .describe('With sessions that ended within this time (1 h).'),
      limit: wholeNumber(1, 1_000).optional().describe('The most sessions that are shown.'),
    }),
    ...{ answers: 'The cluster.', answer: cluster },
  },
  'GET /sessions': {
    ...{ id: 'listSessions', role: 'viewer', tag: 'cluster' },
    summary: 'List live sessions',
    description: 'Also ended ones that still hold slots. Cheap: one statement.',
    ...{ answers: 'The sessions.', answer: sessions },
  },
  'DELETE /nodes/{node}': {
    ...{ id: 'forgetNode', role: 'admin', scope: 'cluster', tag: 'cluster' },
    summary: 'Remove a node that will not come back',
    description:
      'Removes its slots of jobs that every node runs; their ticks that are due become `missed`.',
    ...{ answers: 'The node is removed.', answer: z.object({ node: z.string(), slots: z.int() }) },
  },
  'PUT /nodes/{node}/cordon': {
    ...{ id: 'cordonNode', role: 'operator', scope: 'cluster', tag: 'cluster' },
    summary: 'Keep a node from new work',
    description:
      'It claims nothing, and its level holds no other node back, until it is uncordoned: a ' +
      'restart changes nothing. What it has claimed or executes goes on.',
    ...cordonBody,
    ...{ answers: 'The node takes no new work.', answer: heldNode },
  },
  'DELETE /nodes/{node}/cordon': {
    ...{ id: 'uncordonNode', role: 'operator', scope: 'cluster', tag: 'cluster' },
    summary: 'Let a node take work again',
    ...{ answers: 'The node takes work.', answer: heldNode },
  },
  'POST /nodes/{node}/drain': {
    ...{ id: 'drainNode', role: 'operator', scope: 'cluster', tag: 'cluster' },
    summary: 'Keep a node from new work and give back what it has prepared',
    description:
      'Cordons it, and gives the launches that wait for their tick to other nodes at once. Runs ' +
      'go on: read `executing` of the cluster until it is 0. The process stays up.',
    ...cordonBody,
    ...{ answers: 'The node is cordoned.', answer: heldNode },
  },
  'GET /verify': {
    ...{ id: 'verify', role: 'viewer', scope: 'cluster', tag: 'cluster' },
    summary: 'Verify the history',
    description:
      'Computes every tick again, looks for it in the history, and finds what else rows can show ' +
      'to be wrong. Reads one snapshot of the database and locks nothing; one request at a time. ' +
      'Lines of JSON: the progress each second, at the end the verification or the problem.',
    query: z.strictObject({
      job: nameText.optional().describe('Only the job of this name, also a removed one.'),
      since: timeText.optional().openapi({
        description: 'Only ticks since an ISO instant, or since a time ago such as `7d`.',
        example: '7d',
      }),
    }),
    answers: 'Lines of JSON.',
    content: { 'application/x-ndjson': { schema: verifyLine } },
  },
} as const satisfies Contract;
