import type { Operator } from '../../store/operator/operator.ts';
import type { AddedTokenJson, AuditPageJson, TokenListJson } from './answerJson.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';
import { instantMs, optionalMs } from './readInstant.ts';

type Access = 'addToken' | 'listTokens' | 'revokeToken' | 'listAudit';

/** Tokens and the audit log, over a node's API. */
export function httpAccess(client: NodeClient): Pick<Operator, Access> {
  const look = 'statecron token list';
  return {
    addToken: async ({ name, role, groups, expiresMs }) => {
      const expires = expiresMs === null ? {} : { expires: new Date(expiresMs).toISOString() };
      const body = { name, role, ...(groups === null ? {} : { groups }), ...expires };
      const asked = { method: 'POST', path: 'tokens', body, look } as const;
      return (await client.json<AddedTokenJson>(asked)).body;
    },
    listTokens: async () => {
      const { body } = await client.json<TokenListJson>({ method: 'GET', path: 'tokens' });
      return body.items.map(({ madeAt, expiresAt, expired, ...same }) => ({
        ...same,
        madeMs: instantMs(madeAt),
        expiresMs: optionalMs(expiresAt),
        isExpired: expired,
      }));
    },
    revokeToken: async (nameOrId) => {
      const path = `tokens/${pathPart(nameOrId)}`;
      const asked = { method: 'DELETE', path, look } as const;
      return (await client.json<{ tokenId: string; name: string }>(asked)).body;
    },
    listAudit: async ({ rowsMax, beforeId, target, actor, action, sinceMs, untilMs }) => {
      const [since, until] = [sinceMs, untilMs].map((ms) =>
        ms === undefined ? undefined : new Date(ms).toISOString(),
      );
      const after = beforeId === undefined ? undefined : `${beforeId}`;
      const query = { target, actor, action, since, until, after, limit: Math.min(rowsMax, 200) };
      const { body } = await client.json<AuditPageJson>({ method: 'GET', path: 'audit', query });
      return body.items.map(({ at, ...same }) => ({ ...same, happenedMs: instantMs(at) }));
    },
  };
}
