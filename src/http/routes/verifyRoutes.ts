import { createRoute } from '@hono/zod-openapi';
import { parseSince } from '../../domain/verify/since.ts';
import { type Api, needs } from '../api.ts';
import { problems } from '../schemas/answers.ts';
import { verifyLineSchema, verifyQuery } from '../schemas/verifySchemas.ts';
import { badField } from './badField.ts';
import { requireAllGroups } from './jobAccess.ts';
import { streamVerification } from './streamVerification.ts';

const verifyRoute = createRoute({
  method: 'get',
  path: '/api/v1/verify',
  operationId: 'verify',
  ...needs('viewer'),
  tags: ['cluster'],
  summary: 'Prove that every tick is accounted for and that no promise is broken',
  description:
    'Reads one snapshot of the database, one request at a time. Lines of JSON: how far it is, ' +
    'every second, and at last what was found, or the problem that it came to.',
  request: { query: verifyQuery },
  responses: {
    200: {
      description: 'Lines of JSON.',
      content: { 'application/x-ndjson': { schema: verifyLineSchema } },
    },
    ...problems,
  },
});

/** `/api/v1/verify`. */
export function addVerifyRoutes(api: Api): void {
  api.openapi(verifyRoute, async (c) => {
    const { job, since: text } = c.req.valid('query');
    requireAllGroups(c.var.caller);
    const since = text === undefined ? undefined : parseSince(text);
    if (since === null) throw badField('since', 'a time ago as 7d, or an instant, is wanted');
    const asked = {
      ...(job === undefined ? {} : { job }),
      ...(since === undefined ? {} : { since }),
    };
    const stream = await streamVerification(asked, c.var.operate);
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' };
    return c.body(stream, 200, headers) as never;
  });
}
