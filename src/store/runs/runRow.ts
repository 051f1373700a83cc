import { reasons } from '../../domain/reasons/reasons.ts';
import type { RunResult, Trigger } from '../../domain/run/run.ts';
import type { OutputPlaces } from '../../domain/run/wholeOutput.ts';
import {
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

/** A line of the history, or a launch that has not ended: then `result` and `endedMs` are null. */
export type RunShown = ReturnType<typeof runShown>;

export const shownColumns = {
  job: text,
  jobId: integer,
  /** The group that the job is in now, or was in last. */
  group: text,
  /** The number of its history row; null while it has none. */
  runId: nullable(integer),
  /** The node name that the slot is pinned to; '' when any node runs it. */
  nodeName: text,
  ...each(integer, 'slotNo', 'attempt', 'ticks', 'outputBytes', 'revision'),
  /** Null for ticks that ended without a launch. */
  launchId: nullable(text),
  trigger: wordOf<Trigger>(),
  isFinal: flag,
  scheduledForMs: instantMs,
  /** The last tick of a range, or null. */
  scheduledUntilMs: nullable(instantMs),
  ...each(nullable(instantMs), 'startedMs', 'endedMs'),
  result: nullable(wordOf<RunResult>()),
  exitCode: nullable(integer),
  ...each(nullable(text), 'signal', 'reason', 'requestId'),
  /** The name of the node that had it, or null. */
  node: nullable(text),
  /** Where that node writes whole outputs, or null. */
  outputPlaces: nullable(jsonOf<OutputPlaces>()),
};
/** Of `runColumns`, `launchColumns` and `pendingColumns`. */
export const runShown = rowOf(shownColumns);
/** Of `runColumns`, which are of rows that have ended. */
export const historyRun = rowOf({ ...shownColumns, runId: integer, endedMs: instantMs });

const ofJob = `job.name AS job, IFNULL(NULLIF(target.job_group, ''), 'default') AS 'group'`;

/**
 * The columns of a history row, with the names of its job and its node. Indexes are forced: a short
 * table of jobs would be read whole into a join buffer, which loses the order of the history, so
 * that all of that would be sorted.
 */
export const runColumns = `${ofJob}, run.*, run.triggered_by AS 'trigger',
    run.started_at AS started, run.ended_at AS ended,
    run.term_signal AS 'signal', session.node_name AS node, session.output_places
  FROM run JOIN job FORCE INDEX (PRIMARY) ON job.job_id = run.job_id
    LEFT JOIN target FORCE INDEX (PRIMARY) ON target.target_id = job.target_id
    LEFT JOIN session FORCE INDEX (PRIMARY) ON session.session_id = run.session_id`;

/** The same columns of a launch that has not ended, from its slot. */
export const launchColumns = `${ofJob}, slot.job_id, NULL AS run_id, slot.node_name, slot.slot_no,
    slot.launch_id, slot.triggered_by AS 'trigger', slot.attempt, 1 AS is_final, slot.scheduled_for,
    NULL AS scheduled_until, 1 AS ticks, slot.started_at AS started, NULL AS ended,
    NULL AS result, NULL AS exit_code, NULL AS 'signal',
    IF(slot.stop_requested_at IS NULL, NULL, '${reasons.beingStopped}') AS reason,
    0 AS output_bytes, slot.request_id, slot.revision, session.node_name AS node,
    session.output_places
  FROM slot JOIN job ON job.job_id = slot.job_id
    LEFT JOIN target ON target.target_id = job.target_id
    LEFT JOIN session ON session.session_id = slot.session_id`;

/** The same columns of a requested launch that no node has claimed. */
export const pendingColumns = `${ofJob}, pending.job_id, NULL AS run_id, pending.node_name,
    0 AS slot_no, NULL AS launch_id, pending.triggered_by AS 'trigger', pending.attempt,
    1 AS is_final, pending.scheduled_for, NULL AS scheduled_until, 1 AS ticks, NULL AS started,
    NULL AS ended, NULL AS result, NULL AS exit_code, NULL AS 'signal',
    '${reasons.waits}' AS reason, 0 AS output_bytes, pending.request_id, job.revision,
    NULL AS node, NULL AS output_places
  FROM pending JOIN job ON job.job_id = pending.job_id
    LEFT JOIN target ON target.target_id = job.target_id`;
