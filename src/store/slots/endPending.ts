import type { Reason } from '../../domain/reasons/reasons.ts';
import { isTickOnly } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { Parameter } from '../connection/queryable.ts';

/** How launches end that wait for their turn. */
interface PendingEnd {
  readonly result: 'skipped' | 'stopped' | 'missed';
  readonly reason: Reason;
  /** Of their history rows; absent: the one that their job has now. */
  readonly revision?: number;
}

/**
 * Ends pending launches that will never be claimed: each gets its history row. The caller holds the
 * stripes. Resolves to how many.
 * @param which a condition on `pending`
 */
export async function endPending(
  connection: ChannelConnection,
  which: string,
  parameters: readonly Parameter[],
  { result, reason, revision }: PendingEnd,
): Promise<number> {
  const values = [revision ?? null, result, reason, ...parameters];
  const ended = await connection.change(`${recordPending} WHERE ${which}`, values);
  if (ended === 0) return 0;
  if (!isTickOnly(result)) await connection.change(`${forgetFailure} WHERE ${which}`, parameters);
  const deleted = await connection.change(`${deletePending} WHERE ${which}`, parameters);
  if (deleted !== ended) throw new Error('endPending: a row changed under its lock');
  return ended;
}

const recordPending = `/* endPending */ INSERT INTO run (job_id, revision, node_name, triggered_by,
    request_id, attempt, scheduled_for, ended_at, result, reason)
  SELECT pending.job_id, IFNULL(?, job.revision), pending.node_name, pending.triggered_by,
    NULLIF(pending.request_id, ''), pending.attempt, pending.scheduled_for, NOW(3), ?, ?
  FROM pending JOIN job ON job.job_id = pending.job_id`;
/** It waited, and may have been asked for before the last run ended: the history knows. */
const forgetFailure = `/* endPending failure */ UPDATE pending
    STRAIGHT_JOIN job FORCE INDEX (PRIMARY) ON job.job_id = pending.job_id
  SET job.last_failure = NULL`;
const deletePending = '/* endPending taken */ DELETE FROM pending';
