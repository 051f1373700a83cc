import type { Arrow, SlotState } from '../../../src/domain/run/arrows.ts';
import type { AuditRow, SlotSnapshot } from '../../checkers/history.ts';
import { DatabaseError } from './databaseError.ts';
import type { Counted, StepCounts } from './stepCounts.ts';
import type {
  GroupRow,
  JobRow,
  LimitRow,
  PendingRow,
  RevisionRow,
  RunRow,
  SessionRow,
  SlotRow,
  Tables,
  TargetRow,
} from './tables.ts';
import { TableView } from './tableView.ts';

/** What of the server a transaction needs. */
export interface TransactionHost {
  readonly tables: Tables;
  /** NOW(3): epoch milliseconds, whole ones. */
  databaseNowMs(): number;
  /** The next number of a counter, never given twice, not even after a rollback. */
  nextId(of: 'job' | 'slot' | 'pending' | 'run' | 'audit' | 'target'): number;
}

/** Whose transaction it is. */
interface Connection {
  readonly connectionId: number;
  readonly counts: StepCounts;
}

/** Without the fields that the database gives. */
export type NewRun = Omit<RunRow, 'runId' | 'endedMs'> & { readonly endedMs?: number };

/**
 * One transaction: reads what is committed and what itself has written (READ COMMITTED), and
 * publishes all of it at once. Like the triggers of a real database it notes every change of a slot
 * and of a session's state at the instant of its statement.
 */
export class Transaction {
  readonly jobs: TableView<number, JobRow>;
  readonly revisions: TableView<string, RevisionRow>;
  readonly pending: TableView<number, PendingRow>;
  readonly groups: TableView<string, GroupRow>;
  readonly targets: TableView<number, TargetRow>;
  readonly limits: TableView<string, LimitRow>;
  readonly targetingVersion: TableView<'version' | 'sessions', number>;
  readonly #host: TransactionHost;
  readonly #session: Connection;
  readonly #slots: TableView<number, SlotRow>;
  readonly #sessions: TableView<string, SessionRow>;
  readonly #runs = new Map<number, RunRow>();
  readonly #runIds = new Map<string, number>();
  readonly #audit: AuditRow[] = [];
  readonly #arrows: string[] = [];

  constructor(host: TransactionHost, session: Connection) {
    const { tables } = host;
    this.#host = host;
    this.#session = session;
    this.jobs = new TableView(tables.jobs);
    this.revisions = new TableView(tables.revisions);
    this.pending = new TableView(tables.pending);
    this.groups = new TableView(tables.groups);
    this.targets = new TableView(tables.targets);
    this.limits = new TableView(tables.limits);
    this.targetingVersion = new TableView(tables.targetingVersion);
    this.#slots = new TableView(tables.slots);
    this.#sessions = new TableView(tables.sessions);
  }

  nowMs(): number {
    return this.#host.databaseNowMs();
  }

  nextId(of: 'job' | 'slot' | 'pending' | 'target'): number {
    return this.#host.nextId(of);
  }

  /** Of the step at hand. */
  get counts(): StepCounts {
    return this.#session.counts;
  }

  /** Notes what the step at hand comes upon. */
  count(what: Counted, by = 1): void {
    this.#session.counts.add(what, by);
  }

  slot(slotId: number): SlotRow | undefined {
    return this.#slots.get(slotId);
  }

  slots(): Iterable<SlotRow> {
    return this.#slots.rows();
  }

  slotsOfJob(jobId: number): SlotRow[] {
    return [...this.#slots.rowsBy(this.#host.tables.slotsByJob, jobId)];
  }

  slotsOfNode(nodeName: string): SlotRow[] {
    return [...this.#slots.rowsBy(this.#host.tables.slotsByNode, nodeName)];
  }

  slotsOfSession(sessionId: string): SlotRow[] {
    return [...this.#slots.rowsBy(this.#host.tables.slotsBySession, sessionId)];
  }

  slotOfLaunch(launchId: string): SlotRow | undefined {
    const [slot] = this.#slots.rowsBy(this.#host.tables.slotsByLaunch, launchId);
    return slot;
  }

  /** Idle slots that are due until then, the earliest first. */
  idleUntil(untilMs: number): Iterable<SlotRow> {
    return this.#slots.rowsUntil(this.#host.tables.idleSlots, untilMs);
  }

  idleOfStripeUntil(stripe: number, untilMs: number): Iterable<SlotRow> {
    return this.#slots.rowsUntil(this.#host.tables.idleSlotsByStripe.group(stripe), untilMs);
  }

  pendingOfJob(jobId: number): PendingRow[] {
    return [...this.pending.rowsBy(this.#host.tables.pendingByJob, jobId)];
  }

  jobsOfEveryNode(): Iterable<JobRow> {
    return this.jobs.rowsBy(this.#host.tables.jobsOfEveryNode, true);
  }

  /** The arrow says why the state changes; null: it does not. */
  putSlot(row: SlotRow, arrow: Arrow['name'] | null = null): void {
    const before = this.#slots.get(row.slotId);
    this.#slots.put(row.slotId, row);
    if (before === undefined) return;
    if ((arrow === null) !== (before.state === row.state)) throw new Error('no arrow, no change');
    if (arrow !== null) this.#arrows.push(arrowKey(arrow, before.state));
    this.#audit.push({
      ...this.#stamp(),
      table: 'slot',
      slotId: row.slotId,
      jobId: row.jobId,
      before: snapshotOf(before),
      after: snapshotOf(row),
    });
  }

  removeSlot(slotId: number): void {
    this.#slots.remove(slotId);
  }

  session(sessionId: string): SessionRow | undefined {
    return this.#sessions.get(sessionId);
  }

  sessions(): Iterable<SessionRow> {
    return this.#sessions.rows();
  }

  /** Those that are not reaped. */
  openSessions(): Iterable<SessionRow> {
    return this.#sessions.rowsBy(this.#host.tables.openSessions, true);
  }

  putSession(row: SessionRow): void {
    const before = this.#sessions.get(row.sessionId);
    this.#sessions.put(row.sessionId, row);
    if (before?.isLive === row.isLive) return;
    this.#audit.push({
      ...this.#stamp(),
      table: 'session',
      sessionId: row.sessionId,
      node: row.nodeName,
      before: before === undefined ? null : stateOf(before),
      after: stateOf(row),
      beats: row.beats,
    });
  }

  /** A history row; a launch that has one already is refused by its unique key. */
  insertRun(run: NewRun): void {
    const { launchId } = run;
    if (launchId !== null && this.runOf(launchId) !== undefined) {
      throw new DatabaseError(`Duplicate entry '${launchId}' for key 'run_by_launch'`, 1062);
    }
    const { endedMs = this.nowMs() } = run;
    this.putRun({ ...run, runId: this.#host.nextId('run'), endedMs });
  }

  /** Writes a row that is there anew. */
  putRun(row: RunRow): void {
    this.#runs.set(row.runId, row);
    if (row.launchId !== null) this.#runIds.set(row.launchId, row.runId);
  }

  runOf(launchId: string): RunRow | undefined {
    const { runs, runIds } = this.#host.tables;
    const own = this.#runs.get(this.#runIds.get(launchId) ?? 0);
    return own ?? runs.get(runIds.get(launchId) ?? 0);
  }

  *runsOfJob(jobId: number): Iterable<RunRow> {
    for (const run of this.#runs.values()) if (run.jobId === jobId) yield run;
    yield* this.#host.tables.runsByJob.rows(jobId);
  }

  /** Makes all of it visible; returns what its statements changed, in their order. */
  publish(): { readonly audit: readonly AuditRow[]; readonly arrows: readonly string[] } {
    const views = [this.jobs, this.revisions, this.pending, this.#slots, this.#sessions];
    for (const view of views) view.publish();
    for (const view of [this.groups, this.targets, this.limits, this.targetingVersion])
      view.publish();
    const { runs, runIds } = this.#host.tables;
    for (const run of this.#runs.values()) {
      runs.set(run.runId, run);
      if (run.launchId !== null) runIds.set(run.launchId, run.runId);
    }
    return { audit: this.#audit, arrows: this.#arrows };
  }

  #stamp() {
    const order = this.#host.nextId('audit');
    return { order, databaseMs: this.nowMs(), connectionId: this.#session.connectionId };
  }
}

/** An arrow with the state that it leaves: each has to be seen. */
export function arrowKey(name: Arrow['name'], from: SlotState): string {
  return `${name} from ${from}`;
}

function snapshotOf(row: SlotRow): SlotSnapshot {
  return {
    state: row.state,
    launchId: row.launchId,
    sessionId: row.sessionId,
    revision: row.revision,
    scheduledForDatabaseMs: row.scheduledForMs,
    cursorDatabaseMs: row.cursorMs,
  };
}

function stateOf(row: SessionRow): 'live' | 'ended' {
  return row.isLive ? 'live' : 'ended';
}
