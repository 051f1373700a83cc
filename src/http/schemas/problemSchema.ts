import { z } from '@hono/zod-openapi';
import { answerSchema } from './textSchemas.ts';

/** The form of every error (RFC 9457). */
export const problemSchema = answerSchema('Problem', {
  type: z.string().openapi({ example: 'about:blank' }),
  title: z.string().describe('The name of the status.'),
  status: z.int().describe('The HTTP status.'),
  detail: z.string().describe('What happened, for people.'),
  code: z.string().describe('A stable code for programs, for example `job_missing`.'),
  hint: z.string().describe('What to do about it.'),
  requestId: z
    .string()
    .optional()
    .describe('The request in the audit log and in the log of the node.'),
  exitCode: z
    .int()
    .optional()
    .describe('The exit code of a `statecron` command that meets this problem.'),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('The fields of the request that are wrong.'),
  missing: z.string().optional().describe('The name of what is not there, as the request has it.'),
});

/** Every refusal and fault, as RFC 9457 has it. */
export const problems = {
  default: {
    description: 'The request was refused, or it failed.',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
};
