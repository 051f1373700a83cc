import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { SlotState } from '../../../src/domain/run/arrows.ts';
import type { RunResult, Trigger } from '../../../src/domain/run/run.ts';
import type { Placement } from '../../../src/domain/targeting/mayTake.ts';
import type { NodeFacts } from '../../../src/domain/targeting/nodeFacts.ts';
import { IndexedRows } from './indexedRows.ts';

/** The rows of the memory database: those of the schema, instants as epoch milliseconds. */
export interface JobRow {
  readonly jobId: number;
  readonly name: string;
  readonly isRemoved: boolean;
  readonly revision: number;
  readonly isPaused: boolean;
  readonly isEveryNode: boolean;
  readonly targetId: number;
  /** When a pause ends by itself; absent or null: it does not. */
  readonly resumeAtMs?: number | null;
  /** Absent: none. */
  readonly ticksRun?: number;
  readonly failuresInRow?: number;
  /** How the last run failed; absent or empty: it did not. */
  readonly lastFailure?: string;
}

export interface RevisionRow {
  readonly jobId: number;
  readonly revision: number;
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  /** Why there is a revision that nobody requested. */
  readonly reason?: string;
  readonly inForceFromMs: number;
  readonly inForceUntilMs: number | null;
}

export interface SlotRow {
  readonly slotId: number;
  readonly jobId: number;
  readonly nodeName: string;
  readonly slotNo: number;
  readonly stripe: number;
  readonly targetId: number;
  readonly state: SlotState;
  readonly nextRunMs: number | null;
  readonly cursorMs: number | null;
  readonly revision: number | null;
  readonly trigger: Trigger | null;
  readonly requestId: string | null;
  readonly attempt: number | null;
  readonly scheduledForMs: number | null;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** Absent or null: not known. */
  readonly lastStartedMs?: number | null;
  /** Of a node's slot; absent: with the job. */
  readonly createdMs?: number;
  readonly stopRequestedMs: number | null;
}

export interface PendingRow {
  readonly pendingId: number;
  readonly jobId: number;
  readonly nodeName: string;
  readonly trigger: Trigger;
  readonly scheduledForMs: number;
  readonly attempt: number;
  readonly requestId: string;
  readonly notBeforeMs: number;
}

export interface RunRow {
  readonly runId: number;
  readonly jobId: number;
  readonly revision: number;
  readonly nodeName: string;
  readonly slotNo: number;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly trigger: Trigger;
  readonly requestId: string | null;
  readonly attempt: number;
  readonly isFinal: boolean;
  readonly scheduledForMs: number;
  readonly scheduledUntilMs: number | null;
  readonly ticks: number;
  readonly startedMs: number | null;
  readonly endedMs: number;
  readonly result: RunResult;
  readonly exitCode: number | null;
  readonly reason: string | null;
}

export interface SessionRow extends NodeFacts {
  readonly sessionId: string;
  readonly isLive: boolean;
  readonly beats: number;
  readonly ttlMs: number;
  readonly renewedMs: number;
  readonly endedWhy: string | null;
  readonly isReaped: boolean;
}

export interface TargetRow {
  readonly targetId: number;
  readonly hash: string;
  readonly placement: Placement;
}

export interface GroupRow {
  readonly group: string;
  readonly members: readonly string[];
}

export interface LiveRow {
  readonly requestedMs: number;
  readonly output: Uint8Array | null;
  readonly outputBytes: number;
}

export interface LimitRow {
  readonly group: string;
  readonly concurrencyMax: number;
}

/** What is committed, with the indexes that the schema has, or others for the same looks. */
export class Tables {
  readonly jobs = new IndexedRows<number, JobRow>();
  readonly jobsByName = this.jobs.index((row) => row.name);
  readonly jobsOfEveryNode = this.jobs.index((row) =>
    row.isEveryNode && !row.isRemoved ? true : null,
  );
  /** Paused ones whose pause ends by itself. */
  readonly jobsToResume = this.jobs.index((row) =>
    row.isPaused && (row.resumeAtMs ?? null) !== null ? true : null,
  );
  /** By job id and revision, see `revisionKey`. */
  readonly revisions = new IndexedRows<string, RevisionRow>();
  readonly revisionsByJob = this.revisions.index((row) => row.jobId);
  /** By job id: revisions of jobs that follow others. */
  readonly followers = this.revisions.index((row) =>
    row.definition.after === undefined ? null : row.jobId,
  );
  readonly slots = new IndexedRows<number, SlotRow>();
  readonly slotsByJob = this.slots.index((row) => row.jobId);
  /** Those that are for one node. */
  readonly slotsByNode = this.slots.index((row) => row.nodeName || null);
  readonly slotsBySession = this.slots.index((row) => row.sessionId);
  readonly slotsByLaunch = this.slots.index((row) => row.launchId);
  readonly idleSlots = this.slots.order(dueOf('idle'));
  readonly idleSlotsByStripe = this.slots.orderEach(({ stripe }) => stripe, dueOf('idle'));
  readonly preparedSlots = this.slots.order(dueOf('prepare'));
  readonly pending = new IndexedRows<number, PendingRow>();
  readonly pendingByJob = this.pending.index((row) => row.jobId);
  readonly runs = new IndexedRows<number, RunRow>();
  readonly runsByJob = this.runs.index((row) => row.jobId);
  /** The unique key of the runs: by launch id. */
  readonly runIds = new Map<string, number>();
  readonly sessions = new IndexedRows<string, SessionRow>();
  /** Live, or ended and not reaped. */
  readonly openSessions = this.sessions.index((row) => (row.isReaped ? null : true));
  /** Names of nodes that are cordoned. */
  readonly holds = new Set<string>();
  readonly groups = new Map<string, GroupRow>();
  readonly targets = new Map<number, TargetRow>();
  readonly limits = new Map<string, LimitRow>();
  /** One row, as the table of the schema has it. */
  readonly targetingVersion = new Map<'version' | 'sessions', number>([['version', 1]]);
  readonly outputs = new Map<string, Uint8Array>();
  /** By launch id: whose output is followed. */
  readonly live = new Map<string, LiveRow>();
  /** By job id: from when on its history is whole, where some of it was cleaned away. */
  readonly historyFrom = new Map<number, number>();
  /** The turn to clean. */
  readonly cleaning = { sessionId: '', untilMs: 0, dueMs: 0, areJobsDone: false };
}

function dueOf(state: SlotState) {
  return (row: SlotRow): number | null => (row.state === state ? row.nextRunMs : null);
}

export function revisionKey(jobId: number, revision: number): string {
  return `${jobId}:${revision}`;
}
