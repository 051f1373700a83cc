import type { Channel } from '../connection/channel.ts';

/** How many rows go in one statement, of each table. */
const rowsMax = 500;

export interface Cleaned {
  readonly rows: number;
  readonly isMore: boolean;
}

/** How long what the API keeps is kept. */
const recordDays = { audit: 400, keys: 2, revokedTokens: 400 } as const;

/**
 * Takes away what the API has kept for long enough: rows of the audit log, answers to requests with
 * an idempotency key, logins that have run out, tokens that are revoked or expired for as long as
 * the log tells of them. Resolves to how many rows went, and whether there may be more.
 */
export async function cleanRecords(channel: Channel): Promise<Cleaned> {
  const { audit, keys, revokedTokens } = recordDays;
  const deleted = [
    await channel.change(deleteAudit, [audit, rowsMax]),
    await channel.change(deleteKeys, [keys, rowsMax]),
    await channel.change(deleteLogins, [rowsMax]),
    await channel.change(deleteTokens, [revokedTokens, revokedTokens, rowsMax]),
  ];
  return {
    rows: deleted.reduce((sum, rows) => sum + rows, 0),
    isMore: deleted.includes(rowsMax),
  };
}

const deleteAudit = `/* cleanRecords audit */ DELETE FROM audit_log
  WHERE happened_at < NOW(3) - INTERVAL ? DAY ORDER BY happened_at LIMIT ?`;
const deleteKeys = `/* cleanRecords keys */ DELETE FROM idempotency_key
  WHERE made_at < NOW(3) - INTERVAL ? DAY ORDER BY made_at LIMIT ?`;
const deleteLogins = `/* cleanRecords logins */ DELETE FROM api_login
  WHERE expires_at < NOW(3) ORDER BY expires_at LIMIT ?`;
const deleteTokens = `/* cleanRecords tokens */ DELETE FROM api_token
  WHERE revoked_at < NOW(3) - INTERVAL ? DAY OR expires_at < NOW(3) - INTERVAL ? DAY LIMIT ?`;
