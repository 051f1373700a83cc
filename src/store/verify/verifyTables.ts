import type { SlotState } from '../../domain/arrows.ts';
import type {
  JobRecord,
  PendingRecord,
  RevisionRecord,
  RevisionTerms,
  RunRecord,
  SessionRecord,
  SlotRecord,
} from '../../domain/verify/records.ts';
import type { Row } from '../channel.ts';
import type { JobOrdered } from './jobPages.ts';

/** A page is at most some megabytes in the server's reply, and less in memory. */
const rowsMax = 2_000;

export const jobTable: JobOrdered = {
  select: `/* verify job */ SELECT job_id, name, revision, paused, removed_no, history_from
    FROM job`,
  key: [],
  rowsMax,
};

/** Of a definition, which may have a command of a megabyte, only what decides about ticks. */
export const revisionTable: JobOrdered = {
  select: `/* verify job_revision */ SELECT job_id, revision, paused, in_force_from, in_force_until,
    IF(JSON_VALID(definition),
      JSON_REMOVE(definition, '$.command', '$.description', '$.env', '$.stdin', '$.target',
        '$.tags'), NULL) AS terms
  FROM job_revision`,
  key: ['revision'],
  rowsMax,
};

export const slotTable: JobOrdered = {
  select: `/* verify slot */ SELECT job_id, slot_id, node_name, slot_no, stripe, state, next_run_at,
    cursor_at, revision, triggered_by, attempt, request_id, scheduled_for, launch_id, session_id,
    started_at, created_at
  FROM slot FORCE INDEX (slot_by_job)`,
  key: ['node_name', 'slot_no'],
  rowsMax,
};

export const pendingTable: JobOrdered = {
  select: `/* verify pending */ SELECT job_id, node_name, triggered_by, scheduled_for, attempt,
    request_id, not_before
  FROM pending FORCE INDEX (pending_once)`,
  key: ['node_name', 'triggered_by', 'scheduled_for', 'attempt', 'request_id'],
  rowsMax,
};

/** In the order in which the rows of a job were written. */
export const runTable: JobOrdered = {
  select: `/* verify run */ SELECT job_id, run_id, revision, node_name, slot_no, launch_id,
    session_id, triggered_by, request_id, attempt, is_final, scheduled_for, scheduled_until, ticks,
    started_at, ended_at, result, IF(started_at IS NULL OR is_final = 0, reason, NULL) AS reason
  FROM run FORCE INDEX (run_by_job)`,
  key: ['ended_at', 'run_id'],
  rowsMax,
};

export function jobRecord(row: Row): JobRecord {
  return {
    jobId: row.job_id as number,
    name: row.name as string,
    revision: row.revision as number,
    isPaused: row.paused === 1,
    isRemoved: Number(row.removed_no) !== 0,
    historyFromMs: instant(row.history_from),
  };
}

export function revisionRecord(row: Row): RevisionRecord {
  const terms = termsOf(row.terms);
  return {
    jobId: row.job_id as number,
    revision: row.revision as number,
    isPaused: row.paused === 1,
    definition: terms,
    isLeftToFinish: terms?.onFence === 'finish',
    fromMs: (row.in_force_from as Date).getTime(),
    untilMs: instant(row.in_force_until),
  };
}

export function slotRecord(
  row: Row,
  session: SessionRecord | null,
  recorded: SlotRecord['recorded'],
): SlotRecord {
  return {
    jobId: row.job_id as number,
    slotId: row.slot_id as number,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    stripe: row.stripe as number,
    state: row.state as SlotState,
    nextRunMs: instant(row.next_run_at),
    cursorMs: instant(row.cursor_at),
    revision: row.revision as number | null,
    trigger: row.triggered_by as string | null,
    attempt: row.attempt as number | null,
    requestId: row.request_id as string | null,
    scheduledForMs: instant(row.scheduled_for),
    launchId: row.launch_id as string | null,
    sessionId: row.session_id as string | null,
    startedMs: instant(row.started_at),
    createdMs: instant(row.created_at),
    session,
    recorded,
  };
}

export function pendingRecord(row: Row): PendingRecord {
  return {
    jobId: row.job_id as number,
    nodeName: row.node_name as string,
    trigger: row.triggered_by as string,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    notBeforeMs: (row.not_before as Date).getTime(),
    attempt: row.attempt as number,
    requestId: row.request_id as string,
  };
}

export function runRecord(row: Row): RunRecord {
  return {
    jobId: row.job_id as number,
    runId: row.run_id as number,
    revision: row.revision as number,
    nodeName: row.node_name as string,
    slotNo: row.slot_no as number,
    launchId: row.launch_id as string | null,
    sessionId: row.session_id as string | null,
    trigger: row.triggered_by as string,
    requestId: row.request_id as string | null,
    attempt: row.attempt as number,
    isFinal: row.is_final === 1,
    scheduledForMs: (row.scheduled_for as Date).getTime(),
    scheduledUntilMs: instant(row.scheduled_until),
    ticks: row.ticks as number,
    startedMs: instant(row.started_at),
    endedMs: (row.ended_at as Date).getTime(),
    result: row.result as string,
    reason: row.reason as string | null,
  };
}

export function sessionRecord(row: Row): SessionRecord {
  return {
    sessionId: row.session_id as string,
    nodeName: row.node_name as string,
    isLive: row.state === 'live',
    ttlMs: row.ttl_ms as number,
    startedMs: (row.started_at as Date).getTime(),
    renewedMs: (row.renewed_at as Date).getTime(),
    endedMs: instant(row.ended_at),
    reapedMs: instant(row.reaped_at),
  };
}

/** MariaDB answers JSON as text, MySQL as what the driver has read already. */
function termsOf(stored: unknown): (RevisionTerms & { onFence?: string }) | null {
  const terms: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  if (typeof terms !== 'object' || terms === null) return null;
  const { name, schedule, timezone } = terms as Partial<RevisionTerms>;
  const isWhole = [name, schedule, timezone].every((value) => typeof value === 'string');
  return isWhole ? (terms as RevisionTerms) : null;
}

function instant(value: Date | null): number | null {
  return value?.getTime() ?? null;
}
