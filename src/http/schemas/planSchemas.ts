import { z } from '@hono/zod-openapi';
import { nameText, yesOrNo } from './querySchemas.ts';

export const planQuery = z.strictObject({
  group: nameText.optional().openapi({ description: 'The one group that the file is about.' }),
  prune: yesOrNo().optional().openapi({
    description: 'Remove the jobs of the groups of the file that it lacks.',
  }),
});

export const planSchema = z
  .object({
    format: z.literal('yaml'),
    dryRun: z.boolean(),
    added: z.int(),
    edited: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    warnings: z.array(z.string()),
    plan: z.array(
      z.object({
        action: z.enum(['add', 'edit', 'unchanged', 'remove']),
        job: z.string(),
        group: z.string(),
        changes: z.array(z.string()),
      }),
    ),
  })
  .openapi('Plan');
