import { createRoute } from '@hono/zod-openapi';
import { type Api, needs } from '../api.ts';
import { auditPageSchema, auditQuery } from '../schemas/accessSchemas.ts';
import { answers } from '../schemas/answers.ts';
import { isoOf } from '../views/isoOf.ts';
import { badField } from './badField.ts';
import { nextLink } from './nextLink.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/audit',
  operationId: 'listAudit',
  ...needs('admin'),
  tags: ['audit'],
  summary: 'Who changed what, newest first',
  request: { query: auditQuery },
  responses: answers(200, 'A page of the log.', auditPageSchema),
});

/** `GET /api/v1/audit`. */
export function addAuditRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    const query = c.req.valid('query');
    const { limit = 50, target, actor, action, since, until, after } = query;
    const rows = await c.var.operate((operator) =>
      operator.listAudit({
        ...{ rowsMax: limit + 1, groups: c.var.caller.groups },
        ...(after === undefined ? {} : { beforeId: readId(after) }),
        ...(target === undefined ? {} : { target }),
        ...(actor === undefined ? {} : { actor }),
        ...(action === undefined ? {} : { action }),
        ...(since === undefined ? {} : { sinceMs: since }),
        ...(until === undefined ? {} : { untilMs: until }),
      }),
    );
    const items = rows.slice(0, limit).map(({ happenedMs, before, after: next, ...row }) => {
      return { ...row, at: isoOf(happenedMs), before: before ?? null, after: next ?? null };
    });
    const next = rows.length > limit ? `${items.at(-1)?.auditId}` : null;
    nextLink(c, next);
    return c.json({ items, next }, 200);
  });
}

function readId(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badField('after', 'the `next` of the page before is wanted');
}
