import { z } from '@hono/zod-openapi';
import { isoInstant } from './jobSchemas.ts';
import { nameText, wholeNumber } from './querySchemas.ts';

export const clusterQuery = z.strictObject({
  endedWithinMs: wholeNumber(0, 366 * 86_400_000)
    .optional()
    .openapi({ description: 'Sessions that ended so lately are shown, too (1 h).' }),
  limit: wholeNumber(1, 1_000).optional(),
});

const sessionSchema = z
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

export const clusterSchema = z
  .object({
    now: isoInstant,
    jobs: z.int(),
    overdue: z.int(),
    unrunnable: z.object({
      jobs: z.int(),
      names: z.array(z.string()).openapi({ description: 'The first of those one may see.' }),
    }),
    warnings: z.array(z.string()),
    sessions: z.array(sessionSchema),
  })
  .openapi('Cluster');

export const sessionsSchema = z
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
export type SessionsJson = z.infer<typeof sessionsSchema>;

/** The path of one node. */
export const nodePath = z.object({
  node: nameText.openapi({ param: { name: 'node', in: 'path' } }),
});

export const forgottenSchema = z.object({ node: z.string(), slots: z.int() });

/** The path of one group of nodes, or of jobs. */
export const groupPath = z.object({
  group: nameText.openapi({ param: { name: 'group', in: 'path' } }),
});

export const groupSchema = z
  .object({
    group: z.string(),
    nodes: z.array(z.string()),
    jobs: z.int().openapi({ description: 'How many jobs name it.' }),
    changedAt: isoInstant,
  })
  .openapi('Group');

export const shownGroupSchema = groupSchema
  .extend({ jobNames: z.array(z.string()).openapi({ description: 'The first of those jobs.' }) })
  .openapi('GroupShown');

export const groupBody = z.strictObject({ nodes: z.array(nameText).max(1_000) }).openapi('Members');

export const changedGroupSchema = z
  .object({
    group: z.string(),
    nodes: z.array(z.string()),
    changed: z.boolean(),
    withdrawn: z.int().openapi({ description: 'Prepared launches that were taken back.' }),
  })
  .openapi('GroupChanged');
export type ChangedGroupJson = z.infer<typeof changedGroupSchema>;

export const limitSchema = z
  .object({ group: z.string(), max: z.int(), held: z.int(), jobs: z.int() })
  .openapi('Limit');

export const limitBody = z.strictObject({ max: z.int().min(1).max(1_000_000) });

export const changedLimitSchema = z
  .object({ group: z.string(), max: z.int().nullable(), changed: z.boolean() })
  .openapi('LimitChanged');
