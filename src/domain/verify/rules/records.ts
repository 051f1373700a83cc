import type { JobDefinition } from '../../job/jobDefinition.ts';
import type { JobPolicies } from '../../job/jobPolicies.ts';
import type { SlotState } from '../../run/arrows.ts';
import { isTickLaunch, type LaunchCause } from '../../run/run.ts';

/**
 * The rows that a verification reads, as they stand in the tables: words that only a later version
 * writes are let through, since both versions run side by side (P18). Instants are epoch
 * milliseconds by the database's clock.
 */
export interface VerifyRecords {
  readonly job: JobRecord;
  readonly revisions: readonly RevisionRecord[];
  readonly slots: readonly SlotRecord[];
  readonly pending: readonly PendingRecord[];
}

export interface JobRecord {
  readonly jobId: number;
  readonly name: string;
  readonly revision: number;
  readonly isPaused: boolean;
  readonly isRemoved: boolean;
  /** History before it has been cleaned away, so that ticks before it are owed no row; or null. */
  readonly historyFromMs: number | null;
}

/** What of a definition decides which ticks there are, and what may become of them. */
export type RevisionTerms = Pick<JobDefinition, 'name' | 'schedule' | 'timezone'> & JobPolicies;

export interface RevisionRecord {
  readonly revision: number;
  readonly isPaused: boolean;
  /** Null when the stored definition cannot be read. */
  readonly definition: RevisionTerms | null;
  /** Its runs are left to finish when their node is fenced, which gives up P6. */
  readonly isLeftToFinish: boolean;
  /** It was in force in [fromMs, untilMs); null: it is still. */
  readonly fromMs: number;
  readonly untilMs: number | null;
}

export interface SlotRecord {
  readonly nodeName: string;
  readonly slotNo: number;
  readonly stripe: number;
  readonly state: SlotState;
  readonly nextRunMs: number | null;
  readonly cursorMs: number | null;
  readonly revision: number | null;
  readonly trigger: string | null;
  readonly attempt: number | null;
  readonly requestId: string | null;
  readonly scheduledForMs: number | null;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly startedMs: number | null;
  /** When the slot was made; null: with the job, or before that was noted. */
  readonly createdMs: number | null;
  /** Null when there is no such session row, or the slot names none. */
  readonly session: SessionRecord | null;
  /** The run row that its launch has already, or null, as it must be. */
  readonly recorded: { readonly jobId: number; readonly result: string } | null;
}

export interface PendingRecord {
  readonly nodeName: string;
  readonly trigger: string;
  readonly scheduledForMs: number;
  readonly notBeforeMs: number;
  readonly attempt: number;
  /** '' when it was not requested. */
  readonly requestId: string;
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly isLive: boolean;
  readonly ttlMs: number;
  readonly startedMs: number;
  readonly renewedMs: number;
  readonly endedMs: number | null;
}

export interface RunRecord {
  readonly runId: number;
  readonly revision: number;
  readonly nodeName: string;
  readonly slotNo: number;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly trigger: string;
  readonly requestId: string | null;
  readonly attempt: number;
  readonly isFinal: boolean;
  readonly scheduledForMs: number;
  readonly scheduledUntilMs: number | null;
  readonly ticks: number;
  readonly startedMs: number | null;
  readonly endedMs: number;
  readonly result: string;
  /** Of rows without a start, and of attempts that are not the last; null for all others. */
  readonly reason: string | null;
}

/** What makes launches of one tick, or of one request, attempts of the same thing. */
export function attemptsKey(
  launch: LaunchCause & { readonly nodeName: string; readonly scheduledForMs: number },
): string {
  const { nodeName, scheduledForMs, trigger, requestId } = launch;
  const why = isTickLaunch(launch) ? '' : (requestId ?? trigger);
  return `${scheduledForMs}:${nodeName}:${why}`;
}

/** How people find a run row: by its launch id, or by its number when it has none. */
export function runLabel(run: Pick<RunRecord, 'launchId' | 'runId'>): string {
  return run.launchId === null ? `history row ${run.runId}` : `launch ${run.launchId}`;
}
