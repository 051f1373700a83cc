import type { Appointment, Timeline } from '../timeline.ts';
import { DatabaseError } from './databaseError.ts';
import type { MemoryServer, ServerSession } from './memoryServer.ts';
import { StepCounts } from './stepCounts.ts';
import type { Transaction } from './transaction.ts';

/** What becomes of one statement on its way. */
export type Fate =
  | 'through'
  | 'request lost'
  | 'reply lost'
  /** Of a COMMIT: the server takes its time over it. */
  | 'delayed'
  /** Of a COMMIT: the server rolls back, as the certification of a cluster does, and says so. */
  | 'conflicted'
  /** The server answers with an error and does nothing. */
  | 'refused';

/** The way between a client and the server. */
export interface Wire {
  readonly isUp: boolean;
  /** One way, milliseconds. */
  latencyMs(): number;
  fate(statement: string): Fate;
  /** How long a delayed COMMIT takes. */
  commitDelayMs(): number;
}

/** The event loop of a client: what comes to it may be held back, or be too late for ever. */
export interface ClientLoop {
  after(delayMs: number, fire: () => void): Appointment;
  /** Something arrives from outside. */
  receive(fire: () => void): void;
}

export interface ChannelParts {
  readonly server: MemoryServer;
  readonly timeline: Timeline;
  readonly wire: Wire;
  readonly loop: ClientLoop;
  /** The node that it is of, where that is measured; absent: of an operator. */
  readonly client?: string;
  readonly bounds: {
    readonly timeoutMs: number;
    readonly lockWaitMs: number;
    readonly silenceMs: number;
  };
}

/**
 * One connection to the memory server for one user at a time, as `Channel` is one to MySQL: a
 * statement that is not answered in time, or an error that is not the server's own word, ends the
 * connection, and the next use opens another.
 */
export class MemoryChannel {
  readonly parts: ChannelParts;
  #session: ServerSession | null = null;
  /** The connection that the transaction under way began on. */
  #bound: ServerSession | null = null;
  #breakPending: ((error: Error) => void) | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  statements = 0;
  #isFresh = false;
  #usedAtMs = 0;
  #isPinged = false;
  readonly #staysOpen: boolean;

  constructor(parts: ChannelParts, staysOpen = false) {
    this.parts = parts;
    this.#staysOpen = staysOpen;
  }

  /** Runs the work when every earlier user of the channel is done. */
  use<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  /** One statement outside any transaction. */
  query<T>(statement: string, work: (session: ServerSession) => T | Promise<T>): Promise<T> {
    return this.use(() => this.send(statement, work));
  }

  /** Binds what follows to one connection: no other can go on with its transaction. */
  begin(): void {
    this.#bound = this.#session ?? this.#open();
  }

  /** One statement inside the open transaction; the first one begins it. */
  step<T>(
    statement: string,
    work: (transaction: Transaction, session: ServerSession) => T | Promise<T>,
  ): Promise<T> {
    const { server } = this.parts;
    return this.#sendBound(statement, (session) => work(server.begin(session), session));
  }

  /** The COMMIT. */
  commit(): Promise<void> {
    const { server, timeline, wire } = this.parts;
    return this.#sendBound('commit', (session, fate) => {
      if (fate === 'conflicted') {
        server.rollBack(session);
        throw new DatabaseError('Deadlock found when trying to get lock', 1213);
      }
      if (fate !== 'delayed') return server.commit(session);
      session.isCommitting = true;
      return new Promise((resolve) => {
        timeline.after(wire.commitDelayMs(), () => {
          if (session.isCommitting) server.commit(session);
          resolve();
        });
      });
    });
  }

  /** Nothing to do when the connection is gone: the server has rolled back. */
  async rollBack(): Promise<void> {
    const { server } = this.parts;
    if (this.#session !== null) await this.send('rollback', (own) => server.rollBack(own));
  }

  #sendBound<T>(
    statement: string,
    work: (session: ServerSession, fate: Fate) => T | Promise<T>,
  ): Promise<T> {
    const isLost = this.#bound !== null && this.#bound !== this.#session;
    if (isLost) return Promise.reject(new DatabaseError('Connection lost: the server closed it'));
    return this.send(statement, work);
  }

  send<T>(
    statement: string,
    work: (session: ServerSession, fate: Fate) => T | Promise<T>,
  ): Promise<T> {
    const { server, timeline, wire, loop, bounds } = this.parts;
    this.statements += 1;
    const session = this.#session ?? this.#open();
    const opens = this.#isFresh;
    this.#isFresh = false;
    this.#usedAtMs = timeline.nowMs();
    const fate = wire.isUp ? wire.fate(statement) : 'request lost';
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (how: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        timeout.cancel();
        this.#breakPending = null;
        how();
      };
      const timeout = loop.after(bounds.timeoutMs, () =>
        settle(() => {
          this.destroy();
          reject(new DatabaseError(`${statement}: no reply within ${bounds.timeoutMs} ms`));
        }),
      );
      const reply = (how: () => void): void => {
        server.noteIdle(session);
        if (fate === 'reply lost' || !wire.isUp) return;
        timeline.after(wire.latencyMs(), () => loop.receive(() => settle(how)));
      };
      const fail = (error: unknown): void =>
        reply(() => {
          if ((error as DatabaseError).errno === undefined) this.destroy();
          reject(error);
        });
      this.#breakPending = fail;
      if (fate === 'request lost') return;
      const execute = (): void => {
        try {
          if (fate === 'refused') throw new DatabaseError('the server is read-only', 1290);
          const serve = this.#beginStep(statement, session, opens);
          const done = work(session, fate);
          const answer = (value: T): void => serve(() => reply(() => resolve(value)));
          if (!(done instanceof Promise)) answer(done);
          else done.then(answer, fail);
        } catch (error) {
          fail(error);
        }
      };
      timeline.after(wire.latencyMs(), () => server.accept(session, execute, fail));
    });
  }

  /** Counts what the step comes upon; what it returns lets the server take its time over it. */
  #beginStep(name: string, session: ServerSession, opens: boolean): (reply: () => void) => void {
    const { client, server } = this.parts;
    const { load } = server;
    if (load === null || client === undefined) return (reply) => reply();
    const counts = new StepCounts();
    session.counts = counts;
    const isFirst = session.transaction === null;
    return (reply) => {
      const begins = isFirst && session.transaction !== null;
      load.serve({ name, client, session, counts, opens, begins }, reply);
    };
  }

  /** The client is gone, or will have nothing to do with the connection any more. */
  destroy(): void {
    const session = this.#session;
    if (session === null) return;
    this.#session = null;
    const { server, timeline, wire } = this.parts;
    // What the server does not hear of, it finds out by the silence.
    const afterMs = wire.isUp ? wire.latencyMs() : session.silenceMs;
    timeline.after(afterMs, () => server.close(session));
  }

  #open(): ServerSession {
    const { server, bounds } = this.parts;
    const session = server.open(bounds.silenceMs, () => {
      if (this.#session === session) this.#session = null;
      this.#breakPending?.(new DatabaseError('Connection lost: the server closed it'));
    });
    this.#session = session;
    this.#isFresh = true;
    if (server.load !== null && !this.#isPinged) this.#keepAlive();
    return session;
  }

  /** As `Channel` has it; only where it is measured, since nothing depends on it here. */
  #keepAlive(): void {
    const { loop, timeline, bounds } = this.parts;
    const periodMs = bounds.silenceMs / 3;
    this.#isPinged = true;
    loop.after(periodMs, () => {
      this.#keepAlive();
      const isIdle = timeline.nowMs() - this.#usedAtMs >= periodMs;
      if (this.#session === null || !isIdle) return;
      if (!this.#staysOpen) this.destroy();
      // The next use opens another.
      else this.query('keepAlive', () => undefined).catch(() => undefined);
    });
  }
}
