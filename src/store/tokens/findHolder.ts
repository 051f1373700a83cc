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
 * Whose the tokens are that clients sent, by their texts; without those that are none, unknown,
 * expired or revoked, which is all the same to a client. Read from the database each time, so that
 * a revocation is in force on every node at once.
 */
export async function findHolders(
  channel: Channel,
  texts: readonly string[],
): Promise<Map<string, TokenHolder>> {
  const keys = texts.flatMap((text) => {
    const key = readTokenText(text);
    return key === null ? [] : [{ text, ...key }];
  });
  const rows = await readPages(
    channel,
    selectTokens,
    keys.map(({ tokenId }) => tokenId),
  );
  const byId = new Map(rows.map((row) => [row.token_id as string, row]));
  const holders = new Map<string, TokenHolder>();
  for (const key of keys) {
    const row = byId.get(key.tokenId);
    if (row === undefined || !isSameHash(row.token_hash as Uint8Array, key.hash)) continue;
    holders.set(key.text, holderOf(row));
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
  const rows = await readPages(channel, selectLogins, plain.map(hashSecret));
  return new Map(
    rows.map((row) => {
      const cookie = byHash.get(hexOf(row.login_hash as Uint8Array)) as string;
      return [cookie, holderOf(row)];
    }),
  );
}

async function readPages(
  channel: Channel,
  sql: string,
  keys: readonly (string | Uint8Array)[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < keys.length; at += keysMax) {
    rows.push(...(await channel.query<Row[]>(sql, [keys.slice(at, at + keysMax)])));
  }
  return rows;
}

const keysMax = 500;

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
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
const selectTokens = `/* findHolders */ SELECT ${columns} FROM api_token
  WHERE token_id IN (?) AND ${inForce}`;
const selectLogins = `/* findLoggedIn */ SELECT ${columns}, api_login.login_hash
  FROM api_login JOIN api_token ON api_token.token_id = api_login.token_id
  WHERE api_login.login_hash IN (?) AND api_login.expires_at > NOW(3) AND ${inForce}`;
