import type { Taken } from '../../domain/commit/cleaningPace.ts';
import type { Channel } from '../connection/channel.ts';
import { cleanRows } from '../history/cleanRows.ts';

/** How long what the API keeps is kept. */
const recordDays = { audit: 400, keys: 2, revokedTokens: 400 } as const;

/**
 * Deletes what has been kept for long enough: details of launch requests a week old that nothing is
 * to be launched for any more, rows of the audit log, answers to requests with an idempotency key,
 * logins that have run out, tokens that are revoked or expired for as long as the log has them.
 * The note of a chain's start stays until its edge has been looked at far behind it: it is what
 * keeps the start from being made twice.
 */
export function cleanRecords(channel: Channel): Promise<Taken> {
  const { audit, keys, revokedTokens } = recordDays;
  return cleanRows(channel, [
    [deleteRequests],
    [deleteAudit, audit],
    [deleteKeys, keys],
    [deleteLogins],
    [deleteTokens, revokedTokens, revokedTokens],
  ]);
}

const deleteRequests = `/* cleanRequests */ DELETE FROM launch_request
  WHERE asked_at < NOW(3) - INTERVAL 7 DAY
    AND asked_at < IFNULL((SELECT MIN(swept_until) FROM chain_link), NOW(3)) - INTERVAL 1 DAY
    AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.job_id = launch_request.job_id
      AND pending.request_id = launch_request.request_id)
    AND NOT EXISTS (SELECT 1 FROM slot WHERE slot.job_id = launch_request.job_id
      AND slot.request_id = launch_request.request_id)
  LIMIT ?`;
const deleteAudit = `/* cleanRecords audit */ DELETE FROM audit_log
  WHERE happened_at < NOW(3) - INTERVAL ? DAY ORDER BY happened_at LIMIT ?`;
const deleteKeys = `/* cleanRecords keys */ DELETE FROM idempotency_key
  WHERE made_at < NOW(3) - INTERVAL ? DAY ORDER BY made_at LIMIT ?`;
const deleteLogins = `/* cleanRecords logins */ DELETE FROM api_login
  WHERE expires_at < NOW(3) ORDER BY expires_at LIMIT ?`;
const deleteTokens = `/* cleanRecords tokens */ DELETE FROM api_token
  WHERE revoked_at < NOW(3) - INTERVAL ? DAY OR expires_at < NOW(3) - INTERVAL ? DAY LIMIT ?`;
