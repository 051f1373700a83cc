import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { LifeFacts } from '../../domain/life/lifeMarks.ts';
import { type RunLife, runLife } from '../../domain/life/runLife.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { Channel } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { each, instantMs, jsonOf, nullable, rowOf, text } from '../rows/row.ts';
import type { RunShown } from './runRow.ts';

/** The life of a run, of what the rows say beside its own. */
export async function readLife(channel: Channel, run: RunShown): Promise<RunLife> {
  const { jobId, launchId, requestId, revision } = run;
  const [sessionId = ''] = (launchId ?? '').split(':');
  const [row] = await channel.rows(lifeRow, selectLife, [
    ...[jobId, revision, jobId, requestId, launchId, jobId, requestId],
    ...[launchId, launchId, launchId, sessionId],
  ]);
  if (row === undefined) throw new Error('showRun life: a statement without tables has no row');
  const prior = run.attempt > 1 ? await readPrior(channel, run, row.nowMs) : null;
  const isLate = run.reason?.includes(reasons.recordedLate) === true;
  const watched = row.launches?.find((each) => each.launchId === launchId);
  return runLife({ ...run, ...row, prior, isLate, messages: watched?.messages ?? null });
}

/** The attempt before; null: it has been cleaned away, or was more than a day before. */
async function readPrior(
  channel: Channel,
  run: RunShown,
  nowMs: number,
): Promise<LifeFacts['prior']> {
  const { attempt, endedMs, jobId, nodeName, requestId, scheduledForMs, startedMs } = run;
  const beforeMs = startedMs ?? endedMs ?? nowMs;
  const between = [dateOf(beforeMs - priorMsMax), dateOf(beforeMs)];
  const [prior = null] = await channel.rows(priorRow, selectPrior, [
    ...[jobId, ...between, attempt - 1, dateOf(scheduledForMs), nodeName, requestId ?? ''],
  ]);
  return prior;
}

/** A bound of how much of the history of a job is looked through. */
const priorMsMax = 86_400_000;

const lifeRow = rowOf({
  nowMs: instantMs,
  definition: nullable(jsonOf<JobDefinition>()),
  launches: nullable(jsonOf<NonNullable<NodeActivity['launches']>>()),
  ...each(nullable(instantMs), 'askedMs', 'startAtMs', 'stopAskedMs', 'outputMs'),
  ...each(nullable(instantMs), 'seenMs', 'lostMs'),
});
const selectLife = `/* showRun life */ SELECT NOW(3) AS now,
    (SELECT definition FROM job_revision WHERE job_id = ? AND revision = ?) AS definition,
    (SELECT asked_at FROM launch_request WHERE job_id = ? AND request_id = ?) AS asked,
    IFNULL(IF(slot.state = 'prepare', slot.next_run_at, NULL), IF(? IS NULL,
      (SELECT MIN(not_before) FROM pending WHERE job_id = ? AND request_id = ?), NULL)) AS start_at,
    IFNULL(slot.stop_requested_at, (SELECT MIN(happened_at) FROM audit_log
      WHERE target = ? AND action = 'run.stop')) AS stop_asked,
    (SELECT written_at FROM run_output WHERE launch_id = ?) AS output,
    session.renewed_at AS seen, session.ended_at AS lost,
    CAST(JSON_EXTRACT(node_activity.activity, '$.launches') AS CHAR) AS launches
  FROM (SELECT 1) nothing LEFT JOIN slot ON slot.launch_id = ?
    LEFT JOIN session ON session.session_id = ?
    LEFT JOIN node_activity ON node_activity.session_id = session.session_id`;
const priorRow = rowOf({
  ...each(instantMs, 'endedMs'),
  result: text,
  retryAskedMs: nullable(instantMs),
});
const selectPrior = `/* showRun prior */ SELECT prior.ended_at AS ended, prior.result,
    (SELECT MIN(happened_at) FROM audit_log
      WHERE target = prior.launch_id AND action = 'run.retry') AS retry_asked
  FROM run prior
  WHERE prior.job_id = ? AND prior.ended_at BETWEEN ? AND ? AND prior.attempt = ?
    AND prior.scheduled_for = ? AND prior.node_name = ? AND IFNULL(prior.request_id, '') = ?
  ORDER BY prior.ended_at DESC LIMIT 1`;
