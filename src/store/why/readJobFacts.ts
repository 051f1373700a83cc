import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Target } from '../../domain/job/jobPolicies.ts';
import type { RunResult, Trigger } from '../../domain/run/run.ts';
import type { Placement } from '../../domain/targeting/mayTake.ts';
import { anyTarget } from '../../domain/targeting/takeable.ts';
import type { JobFacts, LastRow } from '../../domain/why/whyFacts.ts';
import type { Channel } from '../connection/channel.ts';
import { jobMissing, pauseColumns, selectPause } from '../jobs/findJob.ts';
import { shownDefinition } from '../jobs/shownDefinition.ts';
import { joinRevision } from '../rows/joinedRevision.ts';
import {
  decimal,
  each,
  flag,
  instantMs,
  integer,
  jsonOf,
  nullable,
  rowOf,
  text,
  wordOf,
} from '../rows/row.ts';
import { type RestoreMarker, restoredFault } from '../schema/restoreMarker.ts';
import { placementOfRow } from '../targeting/targetingCache.ts';

/** A job in force, or the last one of the name that was removed. */
interface JobRead {
  readonly nowMs: number;
  /** With microseconds, for the clock. */
  readonly exactNowMs: number;
  readonly job: JobFacts;
  readonly targetId: number;
  readonly placement: Placement;
  readonly isEveryNode: boolean;
  /** How many launches of its group of jobs may be held at once; null: any number. */
  readonly launchesMax: number | null;
  readonly whyClosed: string | null;
}

/** @throws OperatorError `job_missing`: there is no such job, and was none. */
export async function readJobFacts(channel: Channel, name: string): Promise<JobRead> {
  const [row] = await channel.rows(jobRow, selectJob, [name, name, name]);
  if (row === undefined) throw jobMissing(name);
  const { definition, exactNowMs, isEveryNode, launchesMax, marker, nowMs, targetId } = row;
  const { definitionFormat, jobGroup, target, userName, ...rest } = row;
  const placed = { definitionFormat, jobGroup, target, userName };
  return {
    ...{ nowMs, exactNowMs, isEveryNode, launchesMax, targetId },
    job: { ...rest, definition, last: lastOf(row) },
    placement: targetId === 0 ? anyTarget[1] : placementOfRow(placed),
    whyClosed: marker === null ? null : restoredFault(marker).message,
  };
}

function lastOf(row: ReturnType<typeof jobRow>): LastRow | null {
  const { lastEndedMs, lastResult, lastRunId, lastScheduledForMs, lastTrigger } = row;
  if (lastRunId === null || lastResult === null || lastTrigger === null) return null;
  return {
    runId: lastRunId,
    launchId: row.lastLaunchId,
    node: row.lastNode,
    trigger: lastTrigger,
    result: lastResult,
    reason: row.lastReason,
    scheduledForMs: lastScheduledForMs ?? 0,
    startedMs: row.lastStartedMs,
    endedMs: lastEndedMs ?? 0,
  };
}

const jobRow = rowOf({
  ...each(integer, 'jobId', 'revision', 'ticksRun', 'failuresInRow', 'targetId'),
  ...each(integer, 'definitionFormat', 'pending', 'waiting'),
  ...each(text, 'name', 'jobGroup'),
  ...pauseColumns,
  isEveryNode: flag,
  target: jsonOf<Target>(),
  userName: nullable(text),
  definition: shownDefinition as ReturnType<typeof jsonOf<JobDefinition>>,
  inForceFromMs: instantMs,
  removedMs: nullable(instantMs),
  nowMs: instantMs,
  exactNowMs: decimal,
  launchesMax: nullable(integer),
  marker: nullable(jsonOf<RestoreMarker>()),
  reason: nullable(text),
  lastRunId: nullable(integer),
  ...each(nullable(text), 'lastLaunchId', 'lastNode', 'lastReason'),
  lastTrigger: nullable(wordOf<Trigger>()),
  lastResult: nullable(wordOf<RunResult>()),
  ...each(nullable(instantMs), 'lastScheduledForMs', 'lastStartedMs', 'lastEndedMs'),
});

/** The job in force has the number 0; of those that were removed the last has the highest. */
const removedNo = `COALESCE((SELECT removed_no FROM job WHERE name = ? AND removed_no = 0),
    (SELECT MAX(removed_no) FROM job WHERE name = ?))`;
/** A tick to come that was skipped ahead of its time is not the last. */
const lastRunId = `(SELECT run_id FROM run AS ended WHERE ended.job_id = job.job_id
    AND ended.scheduled_for <= NOW(3) ORDER BY ended.ended_at DESC, ended.run_id DESC LIMIT 1)`;
const selectJob = `/* whyJob */ SELECT STRAIGHT_JOIN job.job_id, job.name, job.revision,
    job.removed_at AS removed, job.ticks_run, job.failures_in_row, job.target_id,
    job.every_node AS is_every_node, ${selectPause}, job_revision.definition, job_revision.reason,
    job_revision.in_force_from, NOW(3) AS now, UNIX_TIMESTAMP(NOW(6)) * 1000 AS exact_now_ms,
    IFNULL(target.target, '{}') AS target, IFNULL(target.job_group, '') AS job_group,
    IFNULL(target.definition_format, 1) AS definition_format, target.user_name,
    job_group.concurrency_max AS launches_max,
    (SELECT note_value FROM note WHERE note_name = 'restore') AS marker,
    (SELECT COUNT(*) FROM pending WHERE pending.job_id = job.job_id) AS pending,
    (SELECT COUNT(*) FROM pending WHERE pending.job_id = job.job_id
      AND pending.triggered_by = 'queue') AS waiting,
    run.run_id AS last_run_id, run.launch_id AS last_launch_id, session.node_name AS last_node,
    run.triggered_by AS last_trigger, run.result AS last_result, run.reason AS last_reason,
    run.scheduled_for AS last_scheduled_for, run.started_at AS last_started,
    run.ended_at AS last_ended
  FROM job ${joinRevision}
    LEFT JOIN target ON target.target_id = job.target_id
    LEFT JOIN job_group ON job_group.group_name = NULLIF(target.job_group, '')
    LEFT JOIN run ON run.run_id = ${lastRunId}
    LEFT JOIN session ON session.session_id = run.session_id
  WHERE job.name = ? AND job.removed_no = ${removedNo}`;
