import type { TokenListed } from '../../store/tokens/listTokens.ts';
import type { TokenView } from '../contract/tokenContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A token as the API and `--json` show it, without its secret. */
export function tokenView(listed: TokenListed): TokenView {
  const { madeMs, expiresMs, isExpired, ...token } = listed;
  return {
    ...token,
    madeAt: isoOf(madeMs),
    expiresAt: isoOrNull(expiresMs),
    expired: isExpired,
  };
}
