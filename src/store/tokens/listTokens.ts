import type { Role } from '../../domain/role.ts';
import type { Channel, Row } from '../channel.ts';
import { tokenBounds } from './addToken.ts';

/** A token as a list shows it: without its secret, which nobody has but its holder. */
export interface TokenListed {
  readonly tokenId: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[] | null;
  readonly madeMs: number;
  readonly expiresMs: number | null;
  readonly isExpired: boolean;
}

/** The tokens that are not revoked, by their names. Read without locks. */
export async function listTokens(channel: Channel): Promise<TokenListed[]> {
  const rows = await channel.query<Row[]>(selectTokens, [tokenBounds.tokensMax]);
  return rows.map((row) => ({
    tokenId: row.token_id as string,
    name: row.token_name as string,
    role: row.role as Role,
    groups: row.job_groups === null ? null : (JSON.parse(row.job_groups as string) as string[]),
    madeMs: (row.made_at as Date).getTime(),
    expiresMs: (row.expires_at as Date | null)?.getTime() ?? null,
    isExpired: row.is_expired === 1,
  }));
}

/** Whether anybody could be let in. */
export async function hasToken(channel: Channel): Promise<boolean> {
  return (await channel.query<Row[]>(selectOne)).length > 0;
}

/** Whether there ever was a token, as far back as they are kept. */
export async function hadToken(channel: Channel): Promise<boolean> {
  return (await channel.query<Row[]>(selectAny)).length > 0;
}

const selectAny = '/* hadToken */ SELECT token_id FROM api_token LIMIT 1';
const inForce = "revoked_no = '' AND (expires_at IS NULL OR expires_at > NOW(3))";
const selectOne = `/* hasToken */ SELECT token_id FROM api_token WHERE ${inForce} LIMIT 1`;
const selectTokens = `/* listTokens */ SELECT token_id, token_name, role, job_groups, made_at,
    expires_at, IFNULL(expires_at <= NOW(3), 0) AS is_expired
  FROM api_token WHERE revoked_no = '' ORDER BY token_name LIMIT ?`;
