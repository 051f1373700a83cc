import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import { hideSecrets } from '../../../src/domain/job/secretEnv.ts';
import type {
  AuditRow,
  JobRecord,
  PendingRecord,
  RunRecord,
  SessionRecord,
  SlotRecord,
  SlotSnapshot,
  SlotState,
} from '../../checkers/history.ts';

type Row = RowDataPacket;

/** Ledgers B and C, and the rows as they are at the end, all of one snapshot. */
export interface DatabaseTables {
  readonly audit: AuditRow[];
  readonly jobs: JobRecord[];
  readonly runs: RunRecord[];
  readonly slots: SlotRecord[];
  readonly pending: PendingRecord[];
  readonly sessions: SessionRecord[];
  readonly sessionProcesses: ReadonlyMap<number, string[]>;
}

/**
 * Reads everything in one snapshot.
 * @param byTime several members write, whose automatic ids tell no order
 */
export async function readTables(url: string, byTime: boolean): Promise<DatabaseTables> {
  const connection = await mysql.createConnection({ uri: url, timezone: 'Z' });
  try {
    await connection.query("SET time_zone = '+00:00'");
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const read = (sql: string) => rowsOf(connection, sql);
    const order = byTime ? 'at, audit_order' : 'audit_order';
    const audit = (await read(readAudit + order)).map(auditOf);
    const jobs = await read('SELECT * FROM job ORDER BY job_id');
    const revisions = await read('SELECT * FROM job_revision ORDER BY job_id, revision');
    const runs = (await read('SELECT * FROM run ORDER BY run_id')).map(runOf);
    const pending = (await read('SELECT * FROM pending ORDER BY pending_id')).map(pendingOf);
    const slots = (await read('SELECT * FROM slot ORDER BY slot_id')).map(slotOf);
    const sessions = await read('SELECT * FROM session ORDER BY started_at');
    const sessionProcesses = new Map<number, string[]>();
    for (const { process_id: pid, session_id: id } of sessions) {
      sessionProcesses.set(pid, [...(sessionProcesses.get(pid) ?? []), id]);
    }
    return {
      audit,
      jobs: jobs.map((job) => jobOf(job, revisions)),
      runs,
      slots,
      pending,
      sessions: sessions.map(sessionOf),
      sessionProcesses,
    };
  } finally {
    connection.destroy();
  }
}

async function rowsOf(connection: Connection, sql: string): Promise<Row[]> {
  const [rows] = await connection.query<Row[]>(sql);
  return rows;
}

const instant = (value: unknown): number | null =>
  value === null ? null : (value as Date).getTime();
const known = (value: unknown): number => (value as Date).getTime();

function auditOf(row: Row): AuditRow {
  const base = {
    order: row.audit_order as number,
    databaseMs: Number(row.at_ms),
    connectionId: row.connection_no as number,
  };
  if (row.slot_id === null) {
    return {
      ...base,
      table: 'session',
      sessionId: row.session_id,
      node: row.node_name,
      before: row.old_state,
      after: row.new_state,
      beats: row.beats,
    };
  }
  const moment = (side: 'old' | 'new'): SlotSnapshot => ({
    state: row[`${side}_state`] as SlotState,
    launchId: row[`${side}_launch`],
    sessionId: row[`${side}_session`],
    revision: row[`${side}_revision`],
    scheduledForDatabaseMs: instant(row[`${side}_scheduled`]),
    cursorDatabaseMs: instant(row[`${side}_cursor`]),
  });
  const { slot_id: slotId, job_id: jobId } = row;
  return { ...base, table: 'slot', slotId, jobId, before: moment('old'), after: moment('new') };
}

function jobOf(job: Row, revisions: readonly Row[]): JobRecord {
  const own = revisions.filter(({ job_id: jobId }) => jobId === job.job_id);
  return {
    jobId: job.job_id,
    name: job.name,
    // A database of an earlier release has no such column.
    historyFromDatabaseMs: instant(job.history_from ?? null),
    revisions: own.map((revision) => ({
      revision: revision.revision,
      // A history is kept as a file, and handed on.
      definition: hideSecrets(JSON.parse(revision.definition) as JobDefinition),
      paused: revision.paused === 1,
      reason: revision.reason ?? null,
      inForceFromDatabaseMs: known(revision.in_force_from),
      inForceUntilDatabaseMs: instant(revision.in_force_until),
    })),
  };
}

function runOf(run: Row): RunRecord {
  return {
    runId: run.run_id,
    jobId: run.job_id,
    revision: run.revision,
    nodeName: run.node_name,
    slotNo: run.slot_no,
    launchId: run.launch_id,
    sessionId: run.session_id,
    triggeredBy: run.triggered_by,
    requestId: run.request_id,
    attempt: run.attempt,
    isFinal: run.is_final === 1,
    scheduledForDatabaseMs: known(run.scheduled_for),
    scheduledUntilDatabaseMs: instant(run.scheduled_until),
    ticks: run.ticks,
    startedDatabaseMs: instant(run.started_at),
    endedDatabaseMs: known(run.ended_at),
    result: run.result,
    exitCode: run.exit_code,
    reason: run.reason,
  };
}

function slotOf(slot: Row): SlotRecord {
  return {
    slotId: slot.slot_id,
    jobId: slot.job_id,
    nodeName: slot.node_name,
    slotNo: slot.slot_no,
    createdDatabaseMs: instant(slot.created_at ?? null),
    state: slot.state,
    launchId: slot.launch_id,
    sessionId: slot.session_id,
    scheduledForDatabaseMs: instant(slot.scheduled_for),
    triggeredBy: slot.triggered_by,
    requestId: slot.request_id,
    attempt: slot.attempt,
    cursorDatabaseMs: instant(slot.cursor_at),
  };
}

function pendingOf(request: Row): PendingRecord {
  return {
    jobId: request.job_id,
    nodeName: request.node_name,
    triggeredBy: request.triggered_by,
    scheduledForDatabaseMs: known(request.scheduled_for),
    attempt: request.attempt,
    requestId: request.request_id,
    notBeforeDatabaseMs: known(request.not_before),
  };
}

function sessionOf(session: Row): SessionRecord {
  return {
    sessionId: session.session_id,
    node: session.node_name,
    state: session.state,
    endedWhy: session.ended_why,
  };
}

const readAudit = 'SELECT *, UNIX_TIMESTAMP(at) * 1000 AS at_ms FROM audit_row ORDER BY ';
