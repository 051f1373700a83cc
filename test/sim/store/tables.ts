import type { SlotState } from '../../../src/domain/arrows.ts';
import type { JobDefinition } from '../../../src/domain/jobDefinition.ts';
import type { RunResult, Trigger } from '../../../src/domain/run.ts';

/** The rows of the memory database: those of the schema, instants as epoch milliseconds. */
export interface JobRow {
  readonly jobId: number;
  readonly name: string;
  readonly isRemoved: boolean;
  readonly revision: number;
  readonly isPaused: boolean;
}

export interface RevisionRow {
  readonly jobId: number;
  readonly revision: number;
  readonly definition: JobDefinition;
  readonly isPaused: boolean;
  readonly inForceFromMs: number;
  readonly inForceUntilMs: number | null;
}

export interface SlotRow {
  readonly slotId: number;
  readonly jobId: number;
  readonly nodeName: string;
  readonly slotNo: number;
  readonly stripe: number;
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

export interface SessionRow {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly isLive: boolean;
  readonly beats: number;
  readonly ttlMs: number;
  readonly renewedMs: number;
  readonly endedWhy: string | null;
  readonly isReaped: boolean;
}

/** What is committed. */
export class Tables {
  readonly jobs = new Map<number, JobRow>();
  /** By job id and revision, see `revisionKey`. */
  readonly revisions = new Map<string, RevisionRow>();
  readonly slots = new Map<number, SlotRow>();
  readonly pending = new Map<number, PendingRow>();
  readonly runs = new Map<number, RunRow>();
  /** The unique key of the runs: by launch id. */
  readonly runIds = new Map<string, number>();
  readonly sessions = new Map<string, SessionRow>();
  readonly outputs = new Map<string, Uint8Array>();
}

export function revisionKey(jobId: number, revision: number): string {
  return `${jobId}:${revision}`;
}
