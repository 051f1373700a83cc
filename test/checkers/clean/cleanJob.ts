import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type {
  JobRecord,
  Operation,
  PendingRecord,
  ProcessRecord,
  RevisionRecord,
  RunRecord,
  SlotAudit,
  SlotRecord,
  SlotSnapshot,
} from '../history.ts';
import { NamedTicks } from '../namedTicks.ts';
import { bootStartMs, type CleanPlan, type CleanSession, type PlannedJob } from './cleanWorld.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An audit row before all are put in order. */
export interface AtRow {
  readonly atMs: number;
  readonly row: Omit<SlotAudit, 'order' | 'databaseMs'>;
}

/** A slot and the launch in its hands. */
export interface CleanSlot {
  readonly nodeName: string;
  readonly slotNo: number;
  moment: SlotSnapshot;
  trigger: string;
  requestId: string | null;
  attempt: number;
}

export interface LaunchIds {
  next(session: CleanSession): string;
}

export const idle: SlotSnapshot = {
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
  /** What waits at the end. */
  pending: PendingRecord[] = [];
  isGone = false;
  /** Most jobs have one. */
  readonly #slots: CleanSlot[] = [];
  #place = 0;
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
    const cursorDatabaseMs = this.named().next(this.db(bootStartMs) - 1_001);
    this.addSlot('', 0, { ...idle, cursorDatabaseMs });
    this.operate('add', bootStartMs - 1_000, 1);
  }

  /** A slot beside the first, or instead of it when its place is taken by nobody. */
  addSlot(nodeName: string, slotNo: number, moment: SlotSnapshot): void {
    const launch = { trigger: 'schedule', requestId: null, attempt: 1 };
    this.#slots.push({ nodeName, slotNo, moment, ...launch });
  }

  /** Every-node jobs have none that any node may take. */
  dropSlots(): void {
    this.#slots.length = 0;
  }

  /** What follows is about this slot. */
  use(place: number): CleanSlot {
    this.#place = place;
    return this.#slot;
  }

  get #slot(): CleanSlot {
    return this.#slots[this.#place] as CleanSlot;
  }

  get moment(): SlotSnapshot {
    return this.#slot.moment;
  }

  /** Of the launch in the slot's hands. */
  get trigger(): string {
    return this.#slot.trigger;
  }

  set trigger(trigger: string) {
    this.#slot.trigger = trigger;
  }

  set requestId(requestId: string | null) {
    this.#slot.requestId = requestId;
  }

  get policies(): JobPolicies {
    return this.plan.policies ?? {};
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
    return this.#slots.map((slot, place) => {
      const { nodeName, slotNo, requestId, attempt } = slot;
      const { revision: _, ...moment } = slot.moment;
      const isIdle = moment.state === 'idle';
      const held = isIdle
        ? { triggeredBy: null }
        : { triggeredBy: slot.trigger, requestId, attempt };
      return {
        slotId: this.#slotId(place),
        jobId: this.jobId,
        nodeName,
        slotNo,
        ...held,
        ...moment,
      };
    });
  }

  #slotId(place: number): number {
    return this.jobId + 100 + 1_000 * place;
  }

  /** Closes the revision in force and opens the next. */
  revise(atMs: number, schedule: string, paused: boolean, isEnd = false, reason?: string): void {
    const fromMs = Math.ceil(this.db(atMs));
    const last = this.revisions.at(-1);
    if (last !== undefined) last.inForceUntilDatabaseMs = fromMs;
    this.revisions.push({
      revision: (last?.revision ?? 0) + 1,
      definition: {
        name: this.plan.name,
        schedule,
        timezone: 'UTC',
        command: 'true',
        ...this.plan.policies,
      },
      paused,
      ...(reason === undefined ? {} : { reason }),
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

  change(atMs: number, connectionId: number, after: Partial<SlotSnapshot>): void {
    const before = this.moment;
    this.#slot.moment = { ...before, ...after };
    const row = { table: 'slot', slotId: this.#slotId(this.#place), jobId: this.jobId } as const;
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
      attempt: this.#slot.attempt,
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
    const { nodeName, slotNo, trigger, requestId, attempt } = this.#slot;
    this.runs.push({
      jobId: this.jobId,
      revision: revision ?? 0,
      nodeName,
      slotNo,
      launchId,
      sessionId,
      triggeredBy: trigger,
      requestId,
      attempt,
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
  pass(
    atMs: number,
    result: 'skipped' | 'missed',
    fromMs: number,
    untilMs: number,
    reason: string = result === 'skipped' ? reasons.stillGoing : reasons.nobodyThere,
  ): void {
    this.tell(atMs, result, {
      reason,
      attempt: 1,
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
