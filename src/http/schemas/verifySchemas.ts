import { z } from '@hono/zod-openapi';
import { isoInstant } from './jobSchemas.ts';
import { problemSchema } from './problemSchema.ts';
import { nameText } from './querySchemas.ts';

export const verifyQuery = z.strictObject({
  job: nameText.optional().openapi({ description: 'Only this job, removed ones of the name too.' }),
  since: z.string().max(40).optional().openapi({
    description: "Only ticks of this time ago by the database's clock, or from an instant on.",
    example: '7d',
  }),
});

const findingSchema = z
  .object({
    code: z.string().openapi({ description: 'A stable word, e.g. `tick_missing`.' }),
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

export const verificationSchema = z
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
    findings: z.array(findingSchema),
  })
  .openapi('Verification');

/** One line of the answer. */
export const verifyLineSchema = z
  .union([
    z.object({ progress: z.object({ jobs: z.int(), runs: z.int() }) }),
    z.object({ verification: verificationSchema }),
    z.object({ problem: problemSchema }),
  ])
  .openapi('VerifyLine');
export type VerifyLineJson = z.infer<typeof verifyLineSchema>;
