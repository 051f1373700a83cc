import { reasons } from '../../domain/policies/reasons.ts';
import type { RunResult, Trigger } from '../../domain/run.ts';
import type { Row } from '../channel.ts';
import { groupOfColumn } from '../targeting/columnsOfGroups.ts';

/** A line of the history, or a launch that has not ended: then `result` and `endedMs` are null. */
export interface RunShown {
  readonly job: string;
  /** The namespace that the job is in now, or was in last. */
  readonly group: string;
  /** The number of its history row; null while it has none. */
  readonly runId: number | null;
  /** The node name that the slot is pinned to; '' when any node runs it. */
  readonly nodeName: string;
  readonly slotNo: number;
  /** Null for ticks that ended without a launch. */
  readonly launchId: string | null;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly isFinal: boolean;
  readonly scheduledForMs: number;
  /** The last tick of a range, or null. */
  readonly scheduledUntilMs: number | null;
  readonly ticks: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  readonly result: RunResult | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly reason: string | null;
  /** The name of the node that had it, or null. */
  readonly node: string | null;
  readonly outputBytes: number;
  readonly requestId: string | null;
  readonly revision: number;
}

/** What a history row of `runColumns` says. */
export function runOf(row: Row): RunShown {
  return {
    job: row.job_name as string,
    group: groupOfColumn(row.group_now),
    runId: row.run_id as number | null,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    launchId: row.launch_id as string | null,
    trigger: row.triggered_by as Trigger,
    attempt: row.attempt as number,
    isFinal: row.is_final === 1,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    scheduledUntilMs: instant(row.scheduled_until),
    ticks: row.ticks as number,
    startedMs: instant(row.started_at),
    endedMs: instant(row.ended_at),
    result: row.result as RunResult | null,
    exitCode: row.exit_code as number | null,
    signal: row.term_signal as string | null,
    reason: row.reason as string | null,
    node: row.session_node as string | null,
    outputBytes: Number(row.output_bytes),
    requestId: row.request_id as string | null,
    revision: row.revision as number,
  };
}

function instant(value: Date | null): number | null {
  return value?.getTime() ?? null;
}

/**
 * The columns of a history row, with the names of its job and its node. Indexes are forced: a short
 * table of jobs would be read whole into a join buffer, which loses the order of the history, so
 * that all of that would be sorted.
 */
export const runColumns = `job.name AS job_name, target.job_group AS group_now, run.*,
    session.node_name AS session_node
  FROM run JOIN job FORCE INDEX (PRIMARY) ON job.job_id = run.job_id
    LEFT JOIN target FORCE INDEX (PRIMARY) ON target.target_id = job.target_id
    LEFT JOIN session ON session.session_id = run.session_id`;

/** The same columns of a launch that has not ended, from its slot. */
export const launchColumns = `job.name AS job_name, target.job_group AS group_now,
    NULL AS run_id, slot.node_name, slot.slot_no, slot.launch_id, slot.triggered_by,
    slot.attempt, 1 AS is_final, slot.scheduled_for, NULL AS scheduled_until, 1 AS ticks,
    slot.started_at, NULL AS ended_at, NULL AS result, NULL AS exit_code, NULL AS term_signal,
    IF(slot.stop_requested_at IS NULL, NULL, '${reasons.beingStopped}') AS reason,
    0 AS output_bytes, slot.request_id, slot.revision, session.node_name AS session_node
  FROM slot JOIN job ON job.job_id = slot.job_id
    LEFT JOIN target ON target.target_id = job.target_id
    LEFT JOIN session ON session.session_id = slot.session_id`;

/** The same columns of a launch that is asked for and that no node has claimed. */
export const pendingColumns = `job.name AS job_name, target.job_group AS group_now,
    NULL AS run_id, pending.node_name, 0 AS slot_no, NULL AS launch_id, pending.triggered_by,
    pending.attempt, 1 AS is_final, pending.scheduled_for, NULL AS scheduled_until, 1 AS ticks,
    NULL AS started_at, NULL AS ended_at, NULL AS result, NULL AS exit_code,
    NULL AS term_signal, '${reasons.waits}' AS reason, 0 AS output_bytes,
    pending.request_id, job.revision, NULL AS session_node
  FROM pending JOIN job ON job.job_id = pending.job_id
    LEFT JOIN target ON target.target_id = job.target_id`;
