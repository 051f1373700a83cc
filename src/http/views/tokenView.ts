import type { z } from '@hono/zod-openapi';
import type { TokenListed } from '../../store/tokens/listTokens.ts';
import type { tokenSchema } from '../schemas/accessSchemas.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A token as the API and `--json` show it, without its secret. */
export function tokenView(listed: TokenListed): z.infer<typeof tokenSchema> {
  const { groups, madeMs, expiresMs, isExpired, ...token } = listed;
  return {
    ...token,
    groups: groups === null ? null : [...groups],
    madeAt: isoOf(madeMs),
    expiresAt: isoOrNull(expiresMs),
    expired: isExpired,
  };
}
