/**
 * What a judge sees of one run of the system: plain data, the same from real nodes under the fault
 * supervisor and from simulated ones, kept as JSON. Nothing in it was computed by what is judged,
 * except where it says so. Times named `…Ms` are milliseconds of the host's boot clock, which no
 * fault can touch; times named `…DatabaseMs` are the database's clock, epoch milliseconds.
 */
export interface History {
  readonly about: HistoryAbout;
  /** The database's clock against the boot clock; a step is two samples at nearly one instant. */
  readonly clock: readonly ClockSample[];
  readonly jobs: readonly JobRecord[];
  /** Ledger A: what the children themselves wrote. */
  readonly processes: readonly ProcessRecord[];
  /** Ledger B: what test-only triggers in the database wrote, in their order. */
  readonly audit: readonly AuditRow[];
  /** Ledger C: the run table, as the system tells its history. */
  readonly runs: readonly RunRecord[];
  /** The slot and session rows at the end. */
  readonly slots: readonly SlotRecord[];
  readonly sessions: readonly SessionRecord[];
  /** Launches that are asked for and wait at the end; absent: none. */
  readonly pending?: readonly PendingRecord[];
  /** Ledger D: what was asked of the system. */
  readonly operations: readonly Operation[];
  /** Ledger E: what was done to it. */
  readonly faults: readonly FaultRecord[];
  /** Node processes: each life, with what their own logs said of its end. */
  readonly lives: readonly NodeLife[];
}

export interface HistoryAbout {
  readonly seed: number;
  readonly engine: string;
  /** The command line that deals the same once more; absent: it was made in another way. */
  readonly command?: string;
  readonly nodes: readonly string[];
  /** The nodes' `--session-ttl`. */
  readonly ttlMs: number;
  /** Periods and bounds of the nodes, from which the recovery bound is computed. */
  readonly compensatorPeriodMs: number;
  readonly reaperPeriodMs: number;
  readonly scanPeriodMs: number;
  readonly lockWaitMs: number;
  /** How far ahead of a tick a slot may be prepared. */
  readonly horizonMs: number;
  /** How long a process that does nothing took at worst; absent: it was not measured. */
  readonly slowestProcessMs?: number;
  readonly startedMs: number;
  /** From here on nothing is broken any more. */
  readonly healedMs: number;
  /** When the last read of the ledgers was asked for. */
  readonly readMs: number;
}

export interface ClockSample {
  readonly atMs: number;
  readonly databaseMs: number;
}

export interface JobRecord {
  readonly jobId: number;
  readonly name: string;
  /** Every revision with the time it was in force, as the database keeps them. */
  readonly revisions: readonly RevisionRecord[];
  /** From when on its history is whole; absent: from the beginning. */
  readonly historyFromDatabaseMs?: number | null;
}

export interface RevisionRecord {
  readonly revision: number;
  /** The definition as JSON.parse gives it; see JobDefinition. */
  readonly definition: unknown;
  readonly paused: boolean;
  readonly inForceFromDatabaseMs: number;
  readonly inForceUntilDatabaseMs: number | null;
  /** Why the system itself made it; absent: it did not. */
  readonly reason?: string | null;
}

/** One START line of a job's file and what followed it. */
export interface ProcessRecord {
  readonly job: string;
  readonly launchId: string;
  readonly sessionId: string;
  readonly node: string;
  readonly scheduledForDatabaseMs: number;
  readonly attempt: number;
  /** What the command was of: the revision writes its number into the command. Null: unknown. */
  readonly revision: number | null;
  readonly processId: number;
  readonly startedMs: number;
  /** The END line; null when the process never wrote one. */
  readonly endedMs: number | null;
  readonly exitCode: number | null;
  /** The last sign of life of the process or of any descendant (one every 50 ms). */
  readonly lastSeenMs: number;
}

export type SlotState = 'idle' | 'prepare' | 'executing';

/** One change of a slot or a session row, in the order in which the database did them. */
export type AuditRow = SlotAudit | SessionAudit;

interface AuditBase {
  readonly order: number;
  readonly databaseMs: number;
  /** Of the database; a session's committer is told by its claims. */
  readonly connectionId: number;
}

export interface SlotAudit extends AuditBase {
  readonly table: 'slot';
  readonly slotId: number;
  readonly jobId: number;
  readonly before: SlotSnapshot;
  readonly after: SlotSnapshot;
}

export interface SlotSnapshot {
  readonly state: SlotState;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly revision: number | null;
  readonly scheduledForDatabaseMs: number | null;
  readonly cursorDatabaseMs: number | null;
}

export interface SessionAudit extends AuditBase {
  readonly table: 'session';
  readonly sessionId: string;
  readonly node: string;
  /** Null: the row was inserted. */
  readonly before: 'live' | 'ended' | null;
  readonly after: 'live' | 'ended';
  readonly beats: number;
}

export interface RunRecord {
  readonly runId: number;
  readonly jobId: number;
  readonly revision: number;
  /** Of the slot that it ran in; absent: of the one that the job has, which any node may run. */
  readonly nodeName?: string;
  readonly slotNo?: number;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly triggeredBy: string;
  readonly requestId: string | null;
  readonly attempt: number;
  readonly isFinal: boolean;
  readonly scheduledForDatabaseMs: number;
  readonly scheduledUntilDatabaseMs: number | null;
  readonly ticks: number;
  readonly startedDatabaseMs: number | null;
  readonly endedDatabaseMs: number;
  readonly result: string;
  readonly exitCode: number | null;
  readonly reason: string | null;
}

export interface SlotRecord {
  readonly slotId: number;
  readonly jobId: number;
  /** As in a run; of an every-node job the node that it is for. */
  readonly nodeName?: string;
  readonly slotNo?: number;
  /** From when on a node's slot owes its ticks; absent: from the first. */
  readonly createdDatabaseMs?: number | null;
  readonly state: SlotState;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly scheduledForDatabaseMs: number | null;
  readonly triggeredBy: string | null;
  readonly requestId?: string | null;
  readonly attempt?: number | null;
  readonly cursorDatabaseMs: number | null;
}

/** A launch that is asked for and not claimed. */
export interface PendingRecord {
  readonly jobId: number;
  readonly nodeName: string;
  readonly triggeredBy: string;
  readonly scheduledForDatabaseMs: number;
  readonly attempt: number;
  readonly requestId: string | null;
  readonly notBeforeDatabaseMs: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly node: string;
  readonly state: 'live' | 'ended';
  readonly endedWhy: string | null;
}

/** One thing asked of the system. `info`: its outcome is not known. */
export interface Operation {
  readonly kind:
    | 'add'
    | 'edit'
    | 'pause'
    | 'resume'
    | 'remove'
    | 'run'
    | 'stop'
    | 'skip-next'
    | 'backfill'
    | 'retry';
  readonly job: string;
  readonly invokedMs: number;
  /** Null only while nobody has answered. */
  readonly answeredMs: number | null;
  readonly outcome: 'ok' | 'fail' | 'info';
  /** What an acknowledged edit, add, pause or resume made. */
  readonly revision: number | null;
  /** Of an acknowledged `run`. */
  readonly requestId: string | null;
  /** How many runs go on by its answer; null or absent: it did not say. */
  readonly executing?: number | null;
  readonly detail: string;
  /** Which way it was asked; absent: of the database. */
  readonly via?: string;
}

/**
 * One fault from its injection to the instant at which it was healed. `stops` says what may be
 * late while it lasts and until the recovery bound after it: nothing, the work of the node or nodes
 * in `target`, or everything. It excuses lateness only, and never a broken promise.
 */
export interface FaultRecord {
  readonly kind: string;
  /** A node's name, `database`, a member's name, a statement's name … */
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stops: 'nothing' | 'node' | 'everything';
  readonly detail: string;
}

export interface NodeLife {
  readonly node: string;
  readonly sessionId: string | null;
  readonly processId: number;
  readonly startedMs: number;
  readonly endedMs: number | null;
  /** `killed`: by the supervisor; else as the node's log says it. */
  readonly ending: string | null;
}
