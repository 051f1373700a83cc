import type { SlotState } from '../../domain/run/arrows.ts';
import type {
  JobRecord,
  PendingRecord,
  RevisionRecord,
  RevisionTerms,
  RunRecord,
} from '../../domain/verify/rules/records.ts';
import {
  type Column,
  each,
  flag,
  instantMs,
  integer,
  nullable,
  rowOf,
  text,
  wordOf,
} from '../rows/row.ts';
import type { JobOrdered } from './jobPages.ts';

/** A page is at most some megabytes in the server's reply, and less in memory. */
const rowsMax = 2_000;

export const jobTable: JobOrdered<JobRecord> = {
  decode: rowOf({
    ...each(integer, 'jobId', 'revision'),
    name: text,
    ...each(flag, 'isPaused', 'isRemoved'),
    historyFromMs: nullable(instantMs),
  }),
  select: `/* verify job */ SELECT job_id, name, revision, paused AS is_paused,
    removed_no <> 0 AS is_removed, history_from
  FROM job`,
  key: [],
  rowsMax,
};

/** MariaDB answers JSON as text, MySQL as what the driver has read already. */
const terms: Column<(RevisionTerms & { readonly onFence?: string }) | null> = {
  unit: '',
  read(value) {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    if (typeof read !== 'object' || read === null) return null;
    const { name, schedule, timezone } = read as Partial<RevisionTerms>;
    const isWhole = [name, schedule, timezone].every((word) => typeof word === 'string');
    return isWhole ? (read as RevisionTerms) : null;
  },
};
const revisionRow = rowOf({
  revision: integer,
  isPaused: flag,
  definition: terms,
  fromMs: instantMs,
  untilMs: nullable(instantMs),
});
/** Of a definition, which may have a command of a megabyte, only what decides about ticks. */
export const revisionTable: JobOrdered<RevisionRecord> = {
  decode(row) {
    const revision = revisionRow(row);
    return { ...revision, isLeftToFinish: revision.definition?.onFence === 'finish' };
  },
  select: `/* verify job_revision */ SELECT job_id, revision, paused AS is_paused,
    in_force_from AS 'from', in_force_until AS until,
    IF(JSON_VALID(definition),
      JSON_REMOVE(definition, '$.command', '$.description', '$.env', '$.stdin', '$.target',
        '$.tags'), NULL) AS definition
  FROM job_revision`,
  key: ['revision'],
  rowsMax,
};

export const slotTable = {
  decode: rowOf({
    ...each(integer, 'slotNo', 'stripe'),
    nodeName: text,
    state: wordOf<SlotState>(),
    ...each(nullable(instantMs), 'nextRunMs', 'cursorMs', 'scheduledForMs', 'startedMs'),
    createdMs: nullable(instantMs),
    ...each(nullable(integer), 'revision', 'attempt'),
    ...each(nullable(text), 'trigger', 'requestId', 'launchId', 'sessionId'),
  }),
  select: `/* verify slot */ SELECT job_id, node_name, slot_no, stripe, state,
    next_run_at AS next_run, cursor_at AS 'cursor', revision, triggered_by AS 'trigger', attempt,
    request_id, scheduled_for, launch_id, session_id, started_at AS started, created_at AS created
  FROM slot FORCE INDEX (slot_by_job)`,
  key: ['node_name', 'slot_no'],
  rowsMax,
};

export const pendingTable: JobOrdered<PendingRecord> = {
  decode: rowOf({
    attempt: integer,
    ...each(text, 'nodeName', 'trigger', 'requestId'),
    ...each(instantMs, 'scheduledForMs', 'notBeforeMs'),
  }),
  select: `/* verify pending */ SELECT job_id, node_name, triggered_by, triggered_by AS 'trigger',
    scheduled_for, attempt, request_id, not_before
  FROM pending FORCE INDEX (pending_once)`,
  key: ['node_name', 'triggered_by', 'scheduled_for', 'attempt', 'request_id'],
  rowsMax,
};

/** In the order in which the rows of a job were written. */
export const runTable: JobOrdered<RunRecord> = {
  decode: rowOf({
    ...each(integer, 'runId', 'revision', 'slotNo', 'attempt', 'ticks'),
    ...each(text, 'nodeName', 'trigger', 'result'),
    ...each(nullable(text), 'launchId', 'sessionId', 'requestId', 'reason'),
    isFinal: flag,
    ...each(instantMs, 'scheduledForMs', 'endedMs'),
    ...each(nullable(instantMs), 'scheduledUntilMs', 'startedMs'),
  }),
  select: `/* verify run */ SELECT job_id, run_id, revision, node_name, slot_no, launch_id,
    session_id, triggered_by AS 'trigger', request_id, attempt, is_final, scheduled_for,
    scheduled_until, ticks, started_at AS started, ended_at, ended_at AS ended, result,
    IF(started_at IS NULL OR is_final = 0, reason, NULL) AS reason
  FROM run FORCE INDEX (run_by_job)`,
  key: ['ended_at', 'run_id'],
  rowsMax,
};

export const sessionColumns = {
  ...each(text, 'sessionId', 'nodeName'),
  isLive: flag,
  ttlMs: integer,
  ...each(instantMs, 'startedMs', 'renewedMs'),
  endedMs: nullable(instantMs),
};
export const selectSession = `session_id, node_name, state = 'live' AS is_live, ttl_ms,
    started_at AS started, renewed_at AS renewed, ended_at AS ended`;
