import { z } from '@hono/zod-openapi';
import { problemSchema } from '../schemas/problemSchema.ts';
import {
  alike,
  answerSchema,
  isoInstant,
  nameText,
  timeText,
  wholeNumber,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const session = answerSchema('Session', {
  ...alike(z.string(), 'sessionId', 'node', 'host', 'version', 'timezoneData'),
  state: z.enum(['live', 'ended']),
  ...alike(z.int(), 'processId', 'capacity', 'concurrency', 'level', 'definitionFormat'),
  ...alike(z.int(), 'ttlMs', 'renewedAgoMs', 'prepared', 'executing'),
  guardianProcessId: z.int().nullable(),
  labels: z.array(z.string()),
  isDraining: z.boolean(),
  startedAt: isoInstant,
  endedAt: isoInstant.nullable(),
  endedWhy: z.string().nullable(),
  stripes: z.array(z.int()),
});

const cluster = answerSchema('Cluster', {
  now: isoInstant,
  ...alike(z.int(), 'jobs', 'overdue'),
  unrunnable: z.object({
    jobs: z.int(),
    names: z.array(z.string()).describe('The first of those one may see.'),
  }),
  warnings: z.array(z.string()),
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
});
const sessions = answerSchema('Sessions', {
  sessions: z.array(relevantSession),
  databaseNowMs: z.number().nullable(),
  targetingVersion: z.int().optional(),
});

const finding = answerSchema('Finding', {
  code: z.string().describe('A stable code, e.g. `tick_missing`.'),
  severity: z.enum(['broken', 'warning']),
  ...alike(z.string(), 'promise', 'message', 'meaning', 'look'),
  ...alike(z.string().nullable(), 'job', 'launchId'),
  ...alike(isoInstant.nullable(), 'tick', 'tickUntil'),
  ticks: z.int(),
});

const verification = answerSchema('Verification', {
  at: isoInstant.describe('Of the snapshot.'),
  since: isoInstant.nullable(),
  ticks: z.int().describe('Those that were due and are accounted for.'),
  ...alike(z.int(), 'jobs', 'runs', 'broken', 'warnings', 'leftOut'),
  counts: z.record(z.string(), z.int()),
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
    summary: 'Read the nodes, those that ended lately, and warnings about their settings',
    query: z.strictObject({
      endedWithinMs: wholeNumber(0, 366 * 86_400_000)
        .optional()
        .describe('Sessions that ended so lately are shown, too (1 h).'),
      limit: wholeNumber(1, 1_000).optional(),
    }),
    ...{ answers: 'The cluster.', answer: cluster },
  },
  'GET /sessions': {
    ...{ id: 'listSessions', role: 'viewer', tag: 'cluster' },
    summary: 'List live sessions, and ended ones that still hold slots',
    description: 'Costs one statement.',
    ...{ answers: 'The sessions.', answer: sessions },
  },
  'DELETE /nodes/{node}': {
    ...{ id: 'forgetNode', role: 'admin', scope: 'cluster', tag: 'cluster' },
    summary: 'Remove a node that will not come back',
    description: 'Removes its slots of every-node jobs; ticks of theirs that are due are missed.',
    ...{ answers: 'It is removed.', answer: z.object({ node: z.string(), slots: z.int() }) },
  },
  'GET /verify': {
    ...{ id: 'verify', role: 'viewer', scope: 'cluster', tag: 'cluster' },
    summary: 'Verify that every tick is accounted for and that no promise is broken',
    description:
      'Reads one snapshot of the database, one request at a time. Lines of JSON: the progress, ' +
      'every second, and at last the verification, or the problem that ended it.',
    query: z.strictObject({
      job: nameText.optional().describe('Only this job, removed ones of the name too.'),
      since: timeText.optional().openapi({
        description: "Only ticks of this time ago by the database's clock, or from an instant on.",
        example: '7d',
      }),
    }),
    answers: 'Lines of JSON.',
    content: { 'application/x-ndjson': { schema: verifyLine } },
  },
} as const satisfies Contract;
