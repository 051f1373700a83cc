import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import { transact } from '../transaction/transact.ts';

interface Surplus {
  /** The last place that may go. */
  readonly until: RunPlace;
  /** Rows that stay even so. */
  readonly keptIds: readonly number[];
  readonly rowsMax: number;
}

/**
 * Takes the oldest surplus rows of a job away, with their outputs, and notes in the same
 * transaction from when on the job's history is whole: behind the last tick that went, and above
 * the highest number. An attempt whose tick still goes on stays. The job's row is written last, so
 * that nobody waits for it. Resolves to the number of rows; rejects with the driver's error when
 * nobody knows.
 */
export async function deleteRuns(
  channel: Channel,
  jobId: number,
  surplus: Surplus,
): Promise<number> {
  const outcome = await transact<number>(channel, 'deleteRuns', async (connection) => ({
    commit: await take(connection, jobId, surplus),
  }));
  if (outcome.outcome === 'unknown') throw outcome.cause;
  return outcome.outcome === 'committed' ? outcome.value : 0;
}

async function take(
  connection: ChannelConnection,
  jobId: number,
  { until, keptIds, rowsMax }: Surplus,
): Promise<number> {
  const untilAt = new Date(until.endedMs);
  const rows = await connection.rows(oldestRun, selectOldest, [
    jobId,
    untilAt,
    untilAt,
    until.runId,
    keptIds.length === 0 ? [0] : keptIds,
    rowsMax,
  ]);
  if (rows.length === 0) return 0;
  const launchIds = rows.flatMap(({ launchId }) => launchId ?? []);
  if (launchIds.length > 0) await connection.change(deleteOutputs, [launchIds]);
  const runIds = rows.map(({ runId }) => runId);
  await connection.change(deleteStatement, [runIds]);
  const lastTickMs = rows.reduce(
    (last, { lastTickMs: tickMs }) => Math.max(last, tickMs),
    Number.NEGATIVE_INFINITY,
  );
  const historyFrom = new Date(lastTickMs + 1);
  const lastId = Math.max(...runIds);
  await connection.change(moveHistory, [historyFrom, historyFrom, lastId, jobId]);
  return rows.length;
}

const oldestRun = rowOf({ runId: integer, launchId: nullable(text), lastTickMs: instantMs });
const selectOldest = `/* deleteRuns read */ SELECT run_id, launch_id,
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
