import type { Role } from '../../domain/role.ts';
import type { Channel, Row } from '../channel.ts';
import { hashSecret, isSameHash, readTokenText } from './tokenText.ts';

/** Whose token it is, while it is in force. */
export interface TokenHolder {
  readonly tokenId: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[] | null;
}

/**
 * Whose the token is that a client sent; null when it is none, unknown, expired or revoked, which
 * is all the same to the client. Read from the database each time, so that a revocation is in force
 * on every node at once.
 */
export async function findHolder(channel: Channel, text: string): Promise<TokenHolder | null> {
  const key = readTokenText(text);
  if (key === null) return null;
  const [row] = await channel.query<Row[]>(selectToken, [key.tokenId]);
  if (row === undefined || !isSameHash(row.token_hash as Uint8Array, key.hash)) return null;
  return holderOf(row);
}

/** The same for the cookie of a browser that is logged in. */
export async function findLoggedIn(channel: Channel, cookie: string): Promise<TokenHolder | null> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(cookie)) return null;
  const [row] = await channel.query<Row[]>(selectLogin, [hashSecret(cookie)]);
  return row === undefined ? null : holderOf(row);
}

function holderOf(row: Row): TokenHolder {
  return {
    tokenId: row.token_id as string,
    name: row.token_name as string,
    role: row.role as Role,
    groups: row.job_groups === null ? null : (JSON.parse(row.job_groups as string) as string[]),
  };
}

const columns =
  'api_token.token_id, api_token.token_hash, api_token.token_name, api_token.role, job_groups';
const inForce = `api_token.revoked_no = ''
    AND (api_token.expires_at IS NULL OR api_token.expires_at > NOW(3))`;
const selectToken = `/* findHolder */ SELECT ${columns} FROM api_token
  WHERE token_id = ? AND ${inForce}`;
const selectLogin = `/* findLoggedIn */ SELECT ${columns}
  FROM api_login JOIN api_token ON api_token.token_id = api_login.token_id
  WHERE api_login.login_hash = ? AND api_login.expires_at > NOW(3) AND ${inForce}`;
