import type { Reason } from '../../domain/reasons/reasons.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { LaunchRequest } from './requestLaunch.ts';

/**
 * Writes the history row of a requested launch that never will be. The caller holds the
 * stripes and has taken the request away, or never added it.
 */
export function recordSkippedRequest(
  connection: ChannelConnection,
  request: LaunchRequest,
  revision: number,
  reason: Reason,
): Promise<number> {
  const {
    jobId,
    requestId,
    trigger,
    attempt = 1,
    scheduledFor = null,
    slotNodeName = '',
  } = request;
  return connection.change(insertRun, [
    jobId,
    revision,
    slotNodeName,
    trigger,
    requestId,
    attempt,
    scheduledFor,
    reason,
  ]);
}

const insertRun = `/* recordSkippedRequest */ INSERT INTO run (job_id, revision, node_name,
    triggered_by, request_id, attempt, scheduled_for, ended_at, result, reason)
  VALUES (?, ?, ?, ?, ?, ?, IFNULL(CAST(? AS DATETIME(3)), NOW(3)), NOW(3), 'skipped', ?)`;
