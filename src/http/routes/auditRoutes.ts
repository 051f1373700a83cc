import type { auditContract } from '../contract/tokenContract.ts';
import { isoOf } from '../views/isoOf.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField } from './handling/badField.ts';
import { withoutUndefined } from './handling/withoutUndefined.ts';

export const auditRoutes: Handlers<typeof auditContract> = {
  'GET /audit': async ({ limit = 50, since: sinceMs, until: untilMs, after, ...where }, c) => {
    const beforeId = after === undefined ? undefined : readId(after);
    const rows = await c.var.operate((operator) =>
      operator.listAudit({
        ...{ rowsMax: limit + 1, groups: c.var.caller.groups },
        ...withoutUndefined({ ...where, beforeId, sinceMs, untilMs }),
      }),
    );
    const items = rows.slice(0, limit).map(({ happenedMs, before, after: next, ...row }) => {
      return { ...row, at: isoOf(happenedMs), before: before ?? null, after: next ?? null };
    });
    const next = rows.length > limit ? `${items.at(-1)?.auditId}` : null;
    return { items, next };
  },
};

function readId(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badField('after', 'the `next` of the page before is wanted');
}
