import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import { checkToken } from '../../store/tokens/addToken.ts';
import type { auditContract, tokenContract } from '../contract/tokenContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';

export const tokenRoutes: Handlers<typeof tokenContract> = {
  'GET /tokens': async (_, c) => ({
    items: await c.var.operate((operator) => operator.listTokens()),
  }),
  'POST /tokens': async ({ name, role, groups = null, expires }, c) => {
    const [fault] = checkToken({ name, groups });
    if (fault !== undefined) throw badField(fault.field, fault.message);
    const token = { name, role, groups, expiresMs: readExpiry(expires) };
    return c.var.operate((operator) => operator.addToken(token));
  },
  'DELETE /tokens/{token}': ({ token }, c) =>
    c.var.operate((operator) => operator.revokeToken(token)),
};

/** An instant with its zone, or a time from now on by this node's clock. */
function readExpiry(expires: string | undefined): number | null {
  if (expires === undefined) return null;
  const instantMs = parseInstant(expires);
  if (instantMs !== null && instantMs > Date.now()) return instantMs;
  const forMs = parseDuration(expires);
  if (typeof forMs === 'number' && forMs > 0) return Date.now() + forMs;
  throw badField('expires', 'write an instant to come as 2030-01-31T09:30:00Z, or 90d');
}

export const auditRoutes: Handlers<typeof auditContract> = {
  'GET /audit': async ({ limit = 50, since: sinceMs, until: untilMs, after, ...where }, c) => {
    const beforeId = after === undefined ? undefined : readId(after);
    const rows = await c.var.operate((operator) =>
      operator.listAudit({
        ...{ rowsMax: limit + 1, groups: c.var.caller.groups },
        ...withoutUndefined({ ...where, beforeId, sinceMs, untilMs }),
      }),
    );
    const items = rows.slice(0, limit);
    const next = rows.length > limit ? `${items.at(-1)?.auditId}` : null;
    return { items, next };
  },
};

function readId(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badField('after', 'the `next` of the page before is wanted');
}
