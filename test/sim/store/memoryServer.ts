import type { AuditRow } from '../../checkers/history.ts';
import type { Appointment, Timeline } from '../timeline.ts';
import { DatabaseError } from './databaseError.ts';
import { type LockKey, LockTable } from './lockTable.ts';
import { StepCounts } from './stepCounts.ts';
import { Tables } from './tables.ts';
import { Transaction, type TransactionHost } from './transaction.ts';

/** One connection as the server knows it. */
export interface ServerSession {
  readonly connectionId: number;
  isClosed: boolean;
  transaction: Transaction | null;
  /** The COMMIT is with the server: it is done whatever becomes of the client. */
  isCommitting: boolean;
  /** A holder of locks that is silent for so long is cut. */
  readonly silenceMs: number;
  idleSinceMs: number;
  silence: Appointment | null;
  /** Of the step at hand. */
  counts: StepCounts;
  /** Notifies the client that the connection broke. */
  onBroken: () => void;
}

/** One step of the memory store, which stands for one statement or a few. */
export interface ServedStep {
  readonly name: string;
  /** Whose connection it is. */
  readonly client: string;
  readonly session: ServerSession;
  readonly counts: StepCounts;
  /** It is the first of its connection, or of its transaction. */
  readonly opens: boolean;
  readonly begins: boolean;
}

/** Measures what the steps ask of the server, and lets it take its time over them. */
export interface ServerLoad {
  /** Calls back when all statements of the step have been served. */
  serve(step: ServedStep, reply: () => void): void;
}

/**
 * The database of a simulated world: tables, row locks, a clock of its own that can be stepped, and
 * connections whose transactions are rolled back when they break. It can be stopped for a while,
 * and crash: what is committed stays.
 */
export class MemoryServer implements TransactionHost {
  readonly tables = new Tables();
  readonly locks: LockTable;
  readonly audit: AuditRow[] = [];
  /** How often each arrow was committed, by name and the state that it left. */
  readonly arrows = new Map<string, number>();
  /** Locks of the table that are not there, as after a careless DELETE. */
  readonly missingLocks = new Set<LockKey>();
  readonly #timeline: Timeline;
  readonly #sessions = new Set<ServerSession>();
  readonly #ids = new Map<string, number>();
  #waiting: (() => void)[] = [];
  #clockOffsetMs: number;
  #state: 'running' | 'stopped' | 'down' = 'running';

  /** Null: nothing takes any time. */
  readonly load: ServerLoad | null;

  constructor(timeline: Timeline, epochMs: number, load: ServerLoad | null = null) {
    this.#timeline = timeline;
    this.load = load;
    this.#clockOffsetMs = epochMs - timeline.nowMs();
    this.locks = new LockTable(timeline);
  }

  get connections(): number {
    return this.#sessions.size;
  }

  databaseNowMs(): number {
    return Math.floor(this.exactNowMs());
  }

  /** NOW(6). */
  exactNowMs(): number {
    return this.#timeline.nowMs() + this.#clockOffsetMs;
  }

  stepClock(byMs: number): void {
    this.#clockOffsetMs += byMs;
  }

  nextId(of: string): number {
    const id = (this.#ids.get(of) ?? 0) + 1;
    this.#ids.set(of, id);
    return id;
  }

  open(silenceMs: number, onBroken: () => void): ServerSession {
    const session: ServerSession = {
      connectionId: this.nextId('connection'),
      isClosed: false,
      transaction: null,
      isCommitting: false,
      silenceMs,
      idleSinceMs: 0,
      silence: null,
      counts: new StepCounts(),
      onBroken,
    };
    this.#sessions.add(session);
    return session;
  }

  /** Does the work of one statement, at once or when the server goes on. */
  accept(session: ServerSession, execute: () => void, refuse: (error: Error) => void): void {
    if (this.#state === 'stopped') {
      this.#waiting.push(() => this.accept(session, execute, refuse));
    } else if (this.#state === 'down') {
      refuse(new DatabaseError('connect ECONNREFUSED'));
    } else if (!session.isClosed) execute();
  }

  begin(session: ServerSession): Transaction {
    session.transaction ??= new Transaction(this, session);
    return session.transaction;
  }

  /** Publishes the transaction, its locks are free after it. */
  commit(session: ServerSession): void {
    if (session.transaction !== null) {
      const { audit, arrows } = session.transaction.publish();
      this.audit.push(...audit);
      for (const arrow of arrows) this.arrows.set(arrow, (this.arrows.get(arrow) ?? 0) + 1);
    }
    this.#end(session);
  }

  rollBack(session: ServerSession): void {
    this.#end(session);
  }

  /** The connection is gone: what it has not committed is rolled back. */
  close(session: ServerSession): void {
    if (this.#state === 'stopped') {
      this.#waiting.push(() => this.close(session));
      return;
    }
    session.isClosed = true;
    this.#sessions.delete(session);
    if (!session.isCommitting) this.#end(session);
  }

  /** After each reply: from here on the client may be silent for a while and no longer. */
  noteIdle(session: ServerSession): void {
    session.idleSinceMs = this.#timeline.nowMs();
    if (session.transaction === null || session.silence !== null) return;
    const look = (): void => {
      session.silence = null;
      if (session.transaction === null || session.isClosed) return;
      const leftMs = session.idleSinceMs + session.silenceMs - this.#timeline.nowMs();
      if (leftMs <= 0) this.close(session);
      else session.silence = this.#timeline.after(leftMs, look);
    };
    session.silence = this.#timeline.after(session.silenceMs, look);
  }

  /** SIGSTOP: nothing is answered, every lock stays. */
  stop(): void {
    if (this.#state === 'running') this.#state = 'stopped';
  }

  /** SIGKILL: every connection breaks, every open transaction is gone. */
  crash(): void {
    this.#state = 'down';
    this.#waiting = [];
    for (const session of [...this.#sessions]) {
      session.isCommitting = false;
      this.close(session);
      session.onBroken();
    }
  }

  resume(): void {
    this.#state = 'running';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) each();
  }

  #end(session: ServerSession): void {
    session.transaction = null;
    session.isCommitting = false;
    this.locks.release(session);
  }
}
