import type { Outcome } from '../../domain/errors/outcome.ts';
import { joinReasons, type Reason, reasons } from '../../domain/reasons/reasons.ts';
import type { LateResult, LaunchPlace } from '../../domain/run/lateResult.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { NotificationCache } from '../notifications/notificationCache.ts';
import { notifyLate } from '../notifications/notifyLost.ts';
import { only, rowOf, text } from '../rows/row.ts';
import { writeOutputs } from '../slots/writeOutputs.ts';
import { transact } from '../transaction/transact.ts';

/**
 * Completes a run that was called `lost` with what it came to after all, once, by its launch id; it
 * touches no slot. Refused when the row says anything else by now: it was completed before. The end
 * is when its host saw it, though not before its start nor later than now.
 */
export async function recordLate(
  channel: Channel,
  late: LateResult,
  notifications = new NotificationCache(),
): Promise<Outcome<string>> {
  const { launchId, execution, endedMs } = late;
  if (execution.output.byteLength > 0) {
    await writeOutputs(channel, [{ launchId, output: execution.output }]);
  }
  const isUnborn = execution.result === 'spawn_failed';
  const result: RunResult = execution.result === 'spawn_failed' ? 'failed' : execution.result;
  const own = execution.reason?.slice(0, ownReasonMax) as Reason | undefined;
  const reason = joinReasons(own ?? null, reasons.recordedLate);
  return transact(channel, 'recordLate', async (connection) => {
    const affected = await connection.change(completeRun, [
      result,
      isUnborn ? null : execution.exitCode,
      execution.signal,
      reason,
      execution.outputBytes,
      dateOf(endedMs),
      launchId,
    ]);
    if (affected > 1) throw new Error('recordLate: a launch id has two rows');
    if (affected === 0) return { refuse: 'the run is not lost' };
    await connection.change(forgetFailure, [launchId]);
    await notifyLate(connection, notifications, launchId, result);
    const [job = ''] = await connection.rows(only(text), selectJob, [launchId]);
    return { commit: job };
  });
}

/** The column takes 500 characters. */
const ownReasonMax = 400;

const completeRun = `/* recordLate */ UPDATE run
  SET result = ?, exit_code = ?, term_signal = ?, reason = ?, output_bytes = ?,
    ended_at = GREATEST(IFNULL(started_at, scheduled_for),
      LEAST(NOW(3), IFNULL(CAST(? AS DATETIME(3)), ended_at)))
  WHERE launch_id = ? AND result = 'lost'`;
/** Whether it is the last run of its job is known by the history. */
const forgetFailure = `/* recordLate failure */ UPDATE run
    STRAIGHT_JOIN job FORCE INDEX (PRIMARY) ON job.job_id = run.job_id
  SET job.last_failure = NULL WHERE run.launch_id = ?`;
const selectJob = `/* recordLate job */ SELECT job.name FROM run JOIN job ON job.job_id = run.job_id
  WHERE run.launch_id = ?`;

/**
 * Where launches are: held by a slot, or what their run rows say. The slots are read first: a
 * launch that leaves its slot between the two reads has its row by the second.
 */
export async function findLaunches(
  channel: Channel,
  launchIds: readonly string[],
): Promise<ReadonlyMap<string, LaunchPlace>> {
  const places = new Map<string, LaunchPlace>();
  if (launchIds.length === 0) return places;
  const held = await channel.rows(only(text), selectHeld, [launchIds]);
  for (const launchId of held) places.set(launchId, 'held');
  for (const { launchId, result } of await channel.rows(endedRun, selectEnded, [launchIds])) {
    places.set(launchId, result === 'lost' ? 'lost' : 'ended');
  }
  return places;
}

const selectHeld = '/* findLaunches held */ SELECT launch_id FROM slot WHERE launch_id IN (?)';
const endedRun = rowOf({ launchId: text, result: text });
const selectEnded =
  '/* findLaunches ended */ SELECT launch_id, result FROM run WHERE launch_id IN (?)';
