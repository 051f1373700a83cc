import type { Channel } from '../connection/channel.ts';
import type { Cleaned } from './cleanRecords.ts';

/** How many rows go in one statement, which holds no lock that a slot's transaction takes. */
const rowsMax = 500;

/**
 * Forgets what came with requests that were asked for a week ago and that nothing is to be launched
 * for any more. The note of a chain's start stays until its edge has been looked at far behind it:
 * it is what keeps the start from being made twice. Resolves as `cleanRecords` does.
 */
export async function cleanRequests(channel: Channel): Promise<Cleaned> {
  const rows = await channel.change(deleteOld, [rowsMax]);
  return { rows, isMore: rows === rowsMax };
}

const deleteOld = `/* cleanRequests */ DELETE FROM launch_request
  WHERE asked_at < NOW(3) - INTERVAL 7 DAY
    AND asked_at < IFNULL((SELECT MIN(swept_until) FROM chain_link), NOW(3)) - INTERVAL 1 DAY
    AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.job_id = launch_request.job_id
      AND pending.request_id = launch_request.request_id)
    AND NOT EXISTS (SELECT 1 FROM slot WHERE slot.job_id = launch_request.job_id
      AND slot.request_id = launch_request.request_id)
  LIMIT ?`;
