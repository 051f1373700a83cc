import type {
  JobRecord,
  Operation,
  ProcessRecord,
  RevisionRecord,
  RunRecord,
  SlotAudit,
  SlotMoment,
  SlotRecord,
} from '../history.ts';
import { NamedTicks } from '../namedTicks.ts';
import { bootStartMs, type CleanPlan, type CleanSession, type PlannedJob } from './cleanWorld.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An audit row before all are put in order. */
export interface AtRow {
  readonly atMs: number;
  readonly row: Omit<SlotAudit, 'order' | 'databaseMs'>;
}

export interface LaunchIds {
  next(session: CleanSession): string;
}

const idle: SlotMoment = {
  state: 'idle',
  launchId: null,
  sessionId: null,
  revision: null,
  scheduledForDatabaseMs: null,
  cursorDatabaseMs: null,
};

/** The ledgers of one job as its life writes them; every transition keeps the design's rules. */
export class CleanJob {
  readonly audit: AtRow[] = [];
  readonly processes: ProcessRecord[] = [];
  readonly runs: Omit<RunRecord, 'runId'>[] = [];
  readonly operations: Operation[] = [];
  readonly revisions: Mutable<RevisionRecord>[] = [];
  readonly jobId: number;
  readonly plan: PlannedJob;
  moment: SlotMoment = idle;
  /** Of the launch in the slot's hands. */
  trigger = 'schedule';
  requestId: string | null = null;
  isGone = false;
  readonly #databaseOf: (atMs: number) => number;
  readonly #launchIds: LaunchIds;

  constructor(
    jobId: number,
    plan: PlannedJob,
    databaseOf: (atMs: number) => number,
    launchIds: LaunchIds,
  ) {
    this.jobId = jobId;
    this.plan = plan;
    this.#databaseOf = databaseOf;
    this.#launchIds = launchIds;
    this.revise(bootStartMs - 1_000, plan.schedule, false);
    this.moment = { ...idle, cursorDatabaseMs: this.named().next(this.db(bootStartMs) - 1_001) };
    this.operate('add', bootStartMs - 1_000, 1);
  }

  db(atMs: number): number {
    return this.#databaseOf(atMs);
  }

  get record(): JobRecord {
    return { jobId: this.jobId, name: this.plan.name, revisions: this.revisions };
  }

  get revision(): number {
    return this.revisions.at(-1)?.revision ?? 0;
  }

  named(): NamedTicks {
    return new NamedTicks(this.record);
  }

  slot(): SlotRecord[] {
    if (this.isGone) return [];
    const { state, launchId, sessionId, scheduledForDatabaseMs, cursorDatabaseMs } = this.moment;
    const triggeredBy = state === 'idle' ? null : this.trigger;
    const told = { state, launchId, sessionId, scheduledForDatabaseMs, cursorDatabaseMs };
    return [{ slotId: this.jobId + 100, jobId: this.jobId, triggeredBy, ...told }];
  }

  /** Closes the revision in force and opens the next. */
  revise(atMs: number, schedule: string, paused: boolean, isEnd = false): void {
    const fromMs = Math.ceil(this.db(atMs));
    const last = this.revisions.at(-1);
    if (last !== undefined) last.inForceUntilDatabaseMs = fromMs;
    this.revisions.push({
      revision: (last?.revision ?? 0) + 1,
      definition: { name: this.plan.name, schedule, timezone: 'UTC', command: 'true' },
      paused,
      inForceFromDatabaseMs: fromMs,
      inForceUntilDatabaseMs: isEnd ? fromMs : null,
    });
  }

  operate(kind: Operation['kind'], atMs: number, revision: number | null, id?: string): void {
    this.operations.push({
      kind,
      job: this.plan.name,
      invokedMs: atMs - 5,
      answeredMs: atMs + 5,
      outcome: 'ok',
      revision,
      requestId: id ?? null,
      detail: '',
    });
  }

  change(atMs: number, connectionId: number, after: Partial<SlotMoment>): void {
    const before = this.moment;
    this.moment = { ...before, ...after };
    const row = { table: 'slot', slotId: this.jobId + 100, jobId: this.jobId } as const;
    this.audit.push({ atMs, row: { ...row, connectionId, before, after: this.moment } });
  }

  claim(atMs: number, session: CleanSession, tickMs: number, cursorMs: number | null): string {
    const launchId = this.#launchIds.next(session);
    this.change(atMs, session.connectionId, {
      state: 'prepare',
      launchId,
      sessionId: session.sessionId,
      revision: this.revision,
      scheduledForDatabaseMs: tickMs,
      cursorDatabaseMs: cursorMs,
    });
    return launchId;
  }

  start(atMs: number, session: CleanSession): void {
    this.change(atMs, session.connectionId, { state: 'executing' });
  }

  /** Any way back to idle. */
  free(atMs: number, connectionId: number, cursorMs: number | null): void {
    this.change(atMs, connectionId, { ...idle, cursorDatabaseMs: cursorMs });
  }

  /** What the child wrote; without an end it was killed at the last sign of life. */
  child(session: CleanSession, startedMs: number, lastSeenMs: number, exitCode: number | null) {
    const { launchId, scheduledForDatabaseMs: tickMs, revision } = this.moment;
    this.processes.push({
      job: this.plan.name,
      launchId: launchId ?? '',
      sessionId: session.sessionId,
      node: session.node,
      scheduledForDatabaseMs: tickMs ?? 0,
      attempt: 1,
      revision,
      processId: 10_000 + this.processes.length,
      startedMs,
      endedMs: exitCode === null ? null : lastSeenMs,
      exitCode,
      lastSeenMs,
    });
  }

  /** The run row of what the slot holds. */
  tell(endedMs: number, result: string, rest: Partial<RunRecord> = {}): void {
    const { launchId, sessionId, scheduledForDatabaseMs: tickMs, revision } = this.moment;
    this.runs.push({
      jobId: this.jobId,
      revision: revision ?? 0,
      launchId,
      sessionId,
      triggeredBy: this.trigger,
      requestId: this.requestId,
      attempt: 1,
      isFinal: true,
      scheduledForDatabaseMs: tickMs ?? 0,
      scheduledUntilDatabaseMs: null,
      ticks: 1,
      startedDatabaseMs: null,
      endedDatabaseMs: this.db(endedMs),
      result,
      exitCode: null,
      reason: null,
      ...rest,
    });
  }

  /** A row for ticks that ended without a launch. */
  pass(atMs: number, result: 'skipped' | 'missed', fromMs: number, untilMs: number): void {
    this.tell(atMs, result, {
      revision: this.revision,
      launchId: null,
      sessionId: null,
      triggeredBy: 'schedule',
      requestId: null,
      scheduledForDatabaseMs: fromMs,
      scheduledUntilDatabaseMs: untilMs,
      ticks: this.named().count(fromMs, untilMs),
    });
  }
}

/** Whether the plan lets nothing happen then. */
export function isOut(plan: CleanPlan, atMs: number): boolean {
  const { outage } = plan;
  if (outage === null) return false;
  return atMs >= bootStartMs + outage.fromMs && atMs <= bootStartMs + outage.untilMs;
}
