import { z } from '@hono/zod-openapi';

/** What every error is told as (RFC 9457). */
export const problemSchema = z
  .object({
    type: z.string().openapi({ example: 'about:blank' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().openapi({ description: 'What went wrong, for people.' }),
    code: z.string().openapi({ description: 'A stable code, e.g. `job_missing`.' }),
    hint: z.string().openapi({ description: 'What to do next.' }),
    requestId: z.string().optional(),
    exitCode: z.int().optional().openapi({ description: 'What a command of it ends with.' }),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'Which fields of what was asked for are at fault.' }),
  })
  .openapi('Problem');
