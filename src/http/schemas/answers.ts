import type { z } from '@hono/zod-openapi';
import { problemSchema } from './problemSchema.ts';

/** What a route may answer: JSON of a schema, or a problem. */
export function answers<Status extends number, Schema extends z.ZodType>(
  status: Status,
  description: string,
  schema: Schema,
) {
  const answer = { description, content: { 'application/json': { schema } } };
  return { [status]: answer, ...problems } as Record<Status, typeof answer> & typeof problems;
}

/** Every refusal and fault, as RFC 9457 has it. */
export const problems = {
  default: {
    description: 'It was refused, or it failed.',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
};

/** The body of a request, which must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}
