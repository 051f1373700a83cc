import type { Channel } from '../connection/channel.ts';
import { flag, instantMs, nullable, only, rowOf, text } from '../rows/row.ts';
import { tokenBounds } from './addToken.ts';
import { holderColumns, holderList } from './findHolder.ts';

const tokenListed = rowOf({
  ...holderColumns,
  madeMs: instantMs,
  expiresMs: nullable(instantMs),
  lastUsedMs: nullable(instantMs),
  isExpired: flag,
});
/** A token as a list shows it: without its secret, which nobody has but its holder. */
type TokenListed = ReturnType<typeof tokenListed>;

/** The tokens that are not revoked, by their names. Read without locks. */
export function listTokens(channel: Channel): Promise<TokenListed[]> {
  return channel.rows(tokenListed, selectTokens, [tokenBounds.tokensMax]);
}

/** Whether anybody could be let in. */
export async function hasToken(channel: Channel): Promise<boolean> {
  return (await channel.rows(only(text), selectOne)).length > 0;
}

/** Whether there ever was a token, as far back as they are kept. */
export async function hadToken(channel: Channel): Promise<boolean> {
  return (await channel.rows(only(text), selectAny)).length > 0;
}

const selectAny = '/* hadToken */ SELECT token_id FROM api_token LIMIT 1';
const inForce = "revoked_no = '' AND (expires_at IS NULL OR expires_at > NOW(3))";
const selectOne = `/* hasToken */ SELECT token_id FROM api_token WHERE ${inForce} LIMIT 1`;
const selectTokens = `/* listTokens */ SELECT ${holderList}, made_at AS made,
    expires_at AS expires, last_used_at AS last_used, IFNULL(expires_at <= NOW(3), 0) AS is_expired
  FROM api_token WHERE revoked_no = '' ORDER BY token_name LIMIT ?`;
