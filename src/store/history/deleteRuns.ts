import { type Taken, withinBytes } from '../../domain/commit/cleaningPace.ts';
import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { transactOrThrow } from '../transaction/transact.ts';
import { outputBytesMax } from './pacer.ts';

interface Surplus {
  /** The last place that may go. */
  readonly until: RunPlace;
  /** Rows that stay even so. */
  readonly keptIds: readonly number[];
  readonly rowsMax: number;
}

/**
 * Deletes the oldest surplus rows of a job, with their outputs, and notes in the same
 * transaction from when on the job's history is whole: behind the last tick that went, and above
 * the highest number. An attempt whose tick still goes on stays. The job's row is written last, so
 * that nobody waits for it. What it takes is bounded in rows, and in what those runs have printed.
 * Rejects with the driver's error when nobody knows.
 */
export function deleteRuns(channel: Channel, jobId: number, surplus: Surplus): Promise<Taken> {
  return transactOrThrow(channel, 'deleteRuns', (connection) =>
    takeOldest(connection, jobId, surplus),
  );
}

async function takeOldest(
  connection: ChannelConnection,
  jobId: number,
  { until, keptIds, rowsMax }: Surplus,
): Promise<Taken> {
  const untilAt = new Date(until.endedMs);
  const kept = keptIds.length === 0 ? [0] : keptIds;
  const bounds = [jobId, untilAt, untilAt, until.runId, kept, rowsMax];
  const oldest = await connection.rows(oldestRun, selectOldest, bounds);
  if (oldest.length === 0) return { rows: 0, isMore: false };
  const rows = withinBytes(oldest, outputBytesMax);
  const launchIds = rows.flatMap(({ launchId }) => launchId ?? []);
  if (launchIds.length > 0) await connection.change(deleteOutputs, [launchIds]);
  const runIds = rows.map(({ runId }) => runId);
  await connection.change(deleteStatement, [runIds]);
  const historyFrom = new Date(Math.max(...rows.map(({ lastTickMs }) => lastTickMs)) + 1);
  await connection.change(moveHistory, [historyFrom, historyFrom, Math.max(...runIds), jobId]);
  return { rows: rows.length, isMore: rows.length < oldest.length || rows.length === rowsMax };
}

const oldestRun = rowOf({
  runId: integer,
  launchId: nullable(text),
  bytes: integer,
  lastTickMs: instantMs,
});
const selectOldest = `/* deleteRuns read */ SELECT run_id, launch_id, output_bytes AS bytes,
    IFNULL(scheduled_until, scheduled_for) AS last_tick
  FROM run FORCE INDEX (run_by_job)
  WHERE job_id = ? AND ended_at <= ? AND (ended_at < ? OR run_id <= ?) AND run_id NOT IN (?)
    AND (is_final = 1 OR (
      NOT EXISTS (SELECT 1 FROM pending WHERE pending.job_id = run.job_id
        AND pending.scheduled_for = run.scheduled_for)
      AND NOT EXISTS (SELECT 1 FROM slot WHERE slot.job_id = run.job_id
        AND slot.scheduled_for = run.scheduled_for)))
  ORDER BY ended_at, run_id LIMIT ?`;
const deleteOutputs = '/* deleteRuns outputs */ DELETE FROM run_output WHERE launch_id IN (?)';
const deleteStatement = '/* deleteRuns */ DELETE FROM run WHERE run_id IN (?)';
const moveHistory = `/* deleteRuns history */ UPDATE job
  SET history_from = IF(history_from IS NULL OR history_from < ?, ?, history_from),
    runs_deleted_until = GREATEST(runs_deleted_until, ?)
  WHERE job_id = ?`;
