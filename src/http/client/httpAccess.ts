import type { AddedTokenJson, TokenListJson } from '../schemas/accessSchemas.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';

type Access = 'addToken' | 'listTokens' | 'revokeToken';

/** Tokens, over a node's API. */
export function httpAccess(client: NodeClient): Pick<ShownOperator, Access> {
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
      return body.items;
    },
    revokeToken: async (nameOrId) => {
      const path = `tokens/${pathPart(nameOrId)}`;
      const asked = { method: 'DELETE', path, look } as const;
      return (await client.json<{ tokenId: string; name: string }>(asked)).body;
    },
  };
}
