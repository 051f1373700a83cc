import type { z } from '@hono/zod-openapi';
import type { TokenListed } from '../../store/tokens/listTokens.ts';
import type { tokenSchema } from '../schemas/accessSchemas.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

export type TokenView = z.infer<typeof tokenSchema>;

/** A token as the API and `--json` show it, without its secret. */
export function tokenView(listed: TokenListed): TokenView {
  const { groups, madeMs, expiresMs, isExpired, ...token } = listed;
  return {
    ...token,
    groups: groups === null ? null : [...groups],
    madeAt: isoOf(madeMs),
    expiresAt: isoOrNull(expiresMs),
    expired: isExpired,
  };
}
