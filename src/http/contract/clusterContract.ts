import { z } from '@hono/zod-openapi';
import { isoInstant } from '../schemas/jobSchemas.ts';
import { problemSchema } from '../schemas/problemSchema.ts';
import { nameText, wholeNumber } from '../schemas/querySchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const session = z
  .object({
    sessionId: z.string(),
    node: z.string(),
    state: z.enum(['live', 'ended']),
    host: z.string(),
    processId: z.int(),
    guardianProcessId: z.int().nullable(),
    version: z.string(),
    timezoneData: z.string(),
    capacity: z.int(),
    concurrency: z.int(),
    level: z.int(),
    labels: z.array(z.string()),
    definitionFormat: z.int(),
    isDraining: z.boolean(),
    ttlMs: z.int(),
    renewedAgoMs: z.int(),
    endedWhy: z.string().nullable(),
    prepared: z.int(),
    executing: z.int(),
    startedAt: isoInstant,
    endedAt: isoInstant.nullable(),
    stripes: z.array(z.int()),
  })
  .openapi('Session');

const cluster = z
  .object({
    now: isoInstant,
    jobs: z.int(),
    overdue: z.int(),
    unrunnable: z.object({
      jobs: z.int(),
      names: z.array(z.string()).openapi({ description: 'The first of those one may see.' }),
    }),
    warnings: z.array(z.string()),
    sessions: z.array(session),
  })
  .openapi('Cluster');
export type ClusterView = Shown<typeof cluster>;

const sessions = z
  .object({
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        nodeName: z.string(),
        isLive: z.boolean(),
        beats: z.int(),
        ttlMs: z.int(),
        level: z.int().optional(),
        labels: z.array(z.string()).optional(),
        definitionFormat: z.int().optional(),
        isDraining: z.boolean().optional(),
      }),
    ),
    databaseNowMs: z.number().nullable(),
    targetingVersion: z.int().optional(),
  })
  .openapi('Sessions');

const finding = z
  .object({
    code: z.string().openapi({ description: 'A stable code, e.g. `tick_missing`.' }),
    promise: z.string(),
    severity: z.enum(['broken', 'warning']),
    job: z.string().nullable(),
    tick: isoInstant.nullable(),
    tickUntil: isoInstant.nullable(),
    ticks: z.int(),
    launchId: z.string().nullable(),
    message: z.string(),
    meaning: z.string(),
    look: z.string(),
  })
  .openapi('Finding');

const verification = z
  .object({
    at: isoInstant.openapi({ description: 'Of the snapshot.' }),
    since: isoInstant.nullable(),
    jobs: z.int(),
    runs: z.int(),
    ticks: z.int().openapi({ description: 'Those that were due and are accounted for.' }),
    broken: z.int(),
    warnings: z.int(),
    leftOut: z.int(),
    counts: z.record(z.string(), z.int()),
    findings: z.array(finding),
  })
  .openapi('Verification');
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
    summary: 'Who is there, who was, and whether they fit together',
    query: z.strictObject({
      endedWithinMs: wholeNumber(0, 366 * 86_400_000)
        .optional()
        .openapi({ description: 'Sessions that ended so lately are shown, too (1 h).' }),
      limit: wholeNumber(1, 1_000).optional(),
    }),
    ...{ answers: 'The cluster.', answer: cluster },
  },
  'GET /sessions': {
    ...{ id: 'listSessions', role: 'viewer', tag: 'cluster' },
    summary: 'The sessions that matter now',
    description: 'Live ones, and ended ones whose slots are not all free yet. Costs one statement.',
    ...{ answers: 'The sessions.', answer: sessions },
  },
  'DELETE /nodes/{node}': {
    ...{ id: 'forgetNode', role: 'admin', scope: 'cluster', tag: 'cluster' },
    summary: 'Forget a node that is gone for good',
    description: 'Takes the slots away that every-node jobs have of it; what they owed is missed.',
    answers: 'It is forgotten.',
    answer: z.object({ node: z.string(), slots: z.int() }),
  },
  'GET /verify': {
    ...{ id: 'verify', role: 'viewer', scope: 'cluster', tag: 'cluster' },
    summary: 'Prove that every tick is accounted for and that no promise is broken',
    description:
      'Reads one snapshot of the database, one request at a time. Lines of JSON: how far it is, ' +
      'every second, and at last what was found, or the problem that it came to.',
    query: z.strictObject({
      job: nameText
        .optional()
        .openapi({ description: 'Only this job, removed ones of the name too.' }),
      since: z.string().max(40).optional().openapi({
        description: "Only ticks of this time ago by the database's clock, or from an instant on.",
        example: '7d',
      }),
    }),
    answers: 'Lines of JSON.',
    content: { 'application/x-ndjson': { schema: verifyLine } },
  },
} as const satisfies Contract;
