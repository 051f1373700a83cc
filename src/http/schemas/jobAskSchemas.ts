import { z } from '@hono/zod-openapi';
import { isoInstant } from './jobSchemas.ts';
import { instant, nameText, requestIdText } from './querySchemas.ts';

export const pauseBody = z
  .strictObject({
    until: z
      .string()
      .max(40)
      .optional()
      .openapi({ description: 'An ISO instant, or a time from now on as 2h; else for good.' }),
  })
  .openapi('Pause');

export const runBody = z
  .strictObject({
    requestId: requestIdText.optional().openapi({
      description: 'Asked again under one id nothing is added. Else one of the Idempotency-Key.',
    }),
    env: z.record(z.string().max(1_024), z.string().max(256 * 1024)).optional(),
    node: nameText.optional().openapi({ description: 'The only node that may take it.' }),
    ignoreOverlap: z.boolean().optional(),
  })
  .openapi('RunWishes');

export const runAskedSchema = z
  .object({
    job: z.string(),
    jobId: z.int(),
    requestId: z.string(),
    isNew: z.boolean().openapi({ description: 'False: the same request was made before.' }),
  })
  .openapi('RunAsked');
export type RunAskedJson = z.infer<typeof runAskedSchema>;

export const skipBody = z.strictObject({ count: z.int().min(1).max(1_000).optional() });

export const skippedSchema = z
  .object({
    job: z.string(),
    skipped: z.array(
      z.object({
        nodeName: z.string(),
        ticks: z.array(isoInstant),
        next: isoInstant.nullable(),
      }),
    ),
  })
  .openapi('TicksSkipped');
export type SkippedJson = z.infer<typeof skippedSchema>;

export const backfillBody = z
  .strictObject({
    from: instant(),
    to: instant(),
    max: z.int().min(1).max(10_000).optional().openapi({
      description: 'More ticks than this are refused, not cut (1000).',
    }),
    dryRun: z.boolean().optional(),
    requestId: requestIdText.optional(),
  })
  .openapi('BackfillWishes');

export const backfilledSchema = z
  .object({
    job: z.string(),
    requestId: z.string(),
    dryRun: z.boolean(),
    ticks: z.array(isoInstant),
    added: z.array(isoInstant),
  })
  .openapi('Backfilled');
export type BackfilledJson = z.infer<typeof backfilledSchema>;

export const rollbackBody = z.strictObject({
  revision: z
    .int()
    .min(1)
    .max(2 ** 32 - 1),
});

export const ticksSchema = z
  .object({
    next: z.array(isoInstant),
    marks: z
      .record(z.string(), z.enum(['shifted', 'first pass', 'second pass']))
      .optional()
      .openapi({ description: "What the zone's clock does at some of them, by instant." }),
  })
  .openapi('Ticks');

export const previewBody = z
  .strictObject({
    cron: z.union([z.string().max(1_024), z.array(z.string().max(1_024)).min(1).max(20)]),
    timezone: z.string().max(100).optional(),
    from: instant().optional().openapi({ description: 'Strictly after this instant (now).' }),
    count: z.int().min(1).max(1_000).optional(),
    name: z.string().max(1_024).optional().openapi({ description: 'What H is computed from.' }),
    dialect: z.enum(['unix', 'quartz']).optional(),
    dstGap: z.enum(['skip', 'shift']).optional(),
    dstFold: z.enum(['first', 'second', 'both']).optional(),
    notBefore: z.string().max(40).optional(),
    notAfter: z.string().max(40).optional(),
    exclude: z.array(z.string().max(1_024)).max(100).optional(),
  })
  .openapi('ScheduleQuestion');
