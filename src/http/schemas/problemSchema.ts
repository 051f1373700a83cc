import { z } from '@hono/zod-openapi';
import { answerSchema } from './textSchemas.ts';

/** The form of every error (RFC 9457). */
export const problemSchema = answerSchema('Problem', {
  type: z.string().openapi({ example: 'about:blank' }),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('What went wrong, for people.'),
  code: z.string().describe('A stable code, e.g. `job_missing`.'),
  hint: z.string().describe('What to do next.'),
  requestId: z.string().optional(),
  exitCode: z.int().optional().describe('What a command of it ends with.'),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('Which fields of the request are at fault.'),
});

/** Every refusal and fault, as RFC 9457 has it. */
export const problems = {
  default: {
    description: 'It was refused, or it failed.',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
};
