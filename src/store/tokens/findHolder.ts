import type { Role } from '../../domain/access/role.ts';
import type { Channel } from '../connection/channel.ts';
import { bytes, jsonOf, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { hashSecret, isSameHash, readTokenText } from './tokenText.ts';

export const holderColumns = {
  tokenId: text,
  name: text,
  role: wordOf<Role>(),
  groups: nullable(jsonOf<readonly string[]>()),
};
const tokenHeld = rowOf({ ...holderColumns, tokenHash: bytes });
const loginHeld = rowOf({ ...holderColumns, loginHash: bytes });

/** Whose token it is, while it is in force. */
export type TokenHolder = Omit<ReturnType<typeof tokenHeld>, 'tokenHash'>;

/**
 * Whose the tokens are that clients sent, by their texts; without those that are malformed,
 * unknown, expired or revoked, which is all the same to a client. Read from the database each
 * time, so that a revocation is in force on every node at once.
 */
export async function findHolders(
  channel: Channel,
  texts: readonly string[],
): Promise<Map<string, TokenHolder>> {
  const keys = texts.flatMap((sent) => {
    const key = readTokenText(sent);
    return key === null ? [] : [{ sent, ...key }];
  });
  const ids = keys.map(({ tokenId }) => tokenId);
  const rows = await channel.rowsOf(tokenHeld, selectTokens, ids);
  const byId = new Map(rows.map((row) => [row.tokenId, row]));
  const holders = new Map<string, TokenHolder>();
  for (const { sent, tokenId, hash } of keys) {
    const row = byId.get(tokenId);
    if (row === undefined || !isSameHash(row.tokenHash, hash)) continue;
    const { tokenHash, ...holder } = row;
    holders.set(sent, holder);
  }
  return holders;
}

/** The same for the cookies of browsers that are logged in. */
export async function findLoggedIn(
  channel: Channel,
  cookies: readonly string[],
): Promise<Map<string, TokenHolder>> {
  const plain = cookies.filter((cookie) => /^[A-Za-z0-9_-]{43}$/.test(cookie));
  const byHash = new Map(plain.map((cookie) => [hexOf(hashSecret(cookie)), cookie]));
  const rows = await channel.rowsOf(loginHeld, selectLogins, plain.map(hashSecret));
  return new Map(
    rows.flatMap(({ loginHash, ...holder }) => {
      const cookie = byHash.get(hexOf(loginHash));
      return cookie === undefined ? [] : [[cookie, holder] as const];
    }),
  );
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}

export const holderList =
  'api_token.token_id, api_token.token_name AS name, api_token.role, job_groups AS `groups`';
const inForce = `api_token.revoked_no = ''
    AND (api_token.expires_at IS NULL OR api_token.expires_at > NOW(3))`;
const selectTokens = `/* findHolders */ SELECT ${holderList}, token_hash FROM api_token
  WHERE token_id IN (?) AND ${inForce}`;
const selectLogins = `/* findLoggedIn */ SELECT ${holderList}, api_login.login_hash
  FROM api_login JOIN api_token ON api_token.token_id = api_login.token_id
  WHERE api_login.login_hash IN (?) AND api_login.expires_at > NOW(3) AND ${inForce}`;
