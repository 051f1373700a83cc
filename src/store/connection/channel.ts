import { once } from 'node:events';
import type { Socket } from 'node:net';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { classifyError } from './classifyError.ts';
import type { DatabaseAddress } from './databaseAddress.ts';
import { noteNotDone } from './databaseFault.ts';
import { type HostRoute, routeOf } from './hostRoute.ts';
import { answerWithin, prepareSession } from './prepareSession.ts';
import { type Parameter, Queryable } from './queryable.ts';

/** The bounds of every wait on the database, milliseconds (lock wait < time-out < TTL − fence). */
export interface ChannelBounds {
  /** After this long without a reply the connection is destroyed. */
  timeoutMs: number;
  lockWaitSeconds: number;
  /** The server cuts a silent holder of locks after this. */
  silenceSeconds: number;
  /** Kept while nobody uses it; absent: ended, so that who rarely needs one holds none. */
  staysOpen?: boolean;
}

const keepAlive = '/* keepAlive */ DO 0';

export type Row = RowDataPacket;

/**
 * One long-lived connection for one user at a time, opened when it is needed and opened anew after
 * it broke. Dedicated, so that a crowded server (1040) cannot take the heartbeat's place away.
 * After a time-out, or any error that is not the server's own word, the connection is destroyed:
 * the driver would leave it usable with a transaction open. Statements are text with placeholders
 * that the driver escapes, each beginning with its name in a comment, so that a process list, a
 * slow log and a proxy can distinguish them.
 */
export class Channel extends Queryable {
  readonly name: string;
  readonly address: DatabaseAddress;
  readonly #bounds: ChannelBounds;
  readonly #route: HostRoute;
  #connection: Connection | null = null;
  /** Of the route, when the connection was opened. */
  #turn = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;
  #usedAtMs = 0;
  #idleWatch: NodeJS.Timeout | null = null;
  /** Statements sent so far, for the benches and the metrics. */
  statements = 0;
  /** For whom it works: what is changed is noted in the audit log. Null: the node's own doing. */
  by: ChangedBy | null = null;

  constructor(name: string, address: DatabaseAddress, bounds: ChannelBounds) {
    super();
    this.name = name;
    this.address = address;
    this.#bounds = bounds;
    this.#route = routeOf(address);
  }

  /**
   * Runs `work` when every earlier user of the channel is done; opens the connection if need be.
   */
  use<T>(work: (connection: ChannelConnection) => Promise<T>): Promise<T> {
    const turn = this.#tail.then(async () => {
      if (this.#route.isUnfit(this.#turn)) this.destroy();
      const connection = this.#connection ?? (await this.#open());
      this.#usedAtMs = performance.now();
      return work(new ChannelConnection(this, connection, this.#bounds.timeoutMs));
    });
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  /** One statement on its own. */
  query<T = Row[]>(sql: string, parameters: readonly Parameter[] = []): Promise<T> {
    return this.use((connection) => connection.query<T>(sql, parameters));
  }

  /** Throws the connection away; the next use opens another. */
  destroy(): void {
    if (this.#connection !== null) abort(this.#connection);
    this.#connection = null;
  }

  /** The same, after an error: which says whether the host is to be left, and who leaves it. */
  abandon(error: unknown): void {
    if (classifyError(error) === 'contact') this.#route.declareUnfit(this.#turn);
    else if (isTimeout(error)) this.#route.leave(this.#turn);
    this.destroy();
  }

  /** Ends the channel for good, after what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idleWatch !== null) clearInterval(this.#idleWatch);
    await this.#tail;
    await this.#endConnection();
  }

  /** Tries every host once, as long as that takes no longer than one statement may. */
  async #open(): Promise<Connection> {
    const began = performance.now();
    for (let tries = 1; ; tries += 1) {
      if (this.#closed) throw new Error(`the channel ${this.name} is closed`);
      const turn = this.#route.turn;
      try {
        return await this.#openAt(turn);
      } catch (error) {
        if (classifyError(error) === 'contact') this.#route.declareUnfit(turn);
        else this.#route.leave(turn);
        const isLate = performance.now() - began > this.#bounds.timeoutMs;
        if (tries < this.#route.length && !isLate) continue;
        noteNotDone(error);
        throw error;
      }
    }
  }

  async #openAt(turn: number): Promise<Connection> {
    const connection = await mysql.createConnection({
      ...this.address.options,
      ...this.#route.place(),
      connectTimeout: this.#bounds.timeoutMs,
      timezone: 'Z',
      charset: 'utf8mb4_bin',
      supportBigNumbers: true,
      // There are none here; for the usual 16,000 each connection sets 0.5 MB of heap aside.
      maxPreparedStatements: 1,
    });
    connection.on('error', () => this.#forget(connection));
    try {
      await prepareSession(connection, { ...this.#bounds, hasChoice: this.#route.length > 1 });
    } catch (error) {
      abort(connection);
      throw error;
    }
    this.#connection = connection;
    this.#turn = turn;
    this.#watchIdle();
    return connection;
  }

  /** An idle connection is spoken to, or ended, since the server cuts silent ones soon. */
  #watchIdle(): void {
    if (this.#idleWatch !== null) return;
    const periodMs = (this.#bounds.silenceSeconds * 1000) / 3;
    const isIdle = (): boolean =>
      this.#connection !== null && performance.now() - this.#usedAtMs >= periodMs;
    this.#idleWatch = setInterval(() => {
      if (!isIdle()) return;
      // A statement, since the driver's ping has no time-out; an error destroys the connection, and
      // the next use opens another and says what is wrong.
      if (this.#bounds.staysOpen === true) this.query(keepAlive).catch(() => undefined);
      else this.#tail = this.#tail.then(() => (isIdle() ? this.#endConnection() : undefined));
    }, periodMs);
    this.#idleWatch.unref();
  }

  /** Says goodbye, and leaves a server that does not answer. */
  async #endConnection(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    const ended = connection.end().then(() => closeSocket(connection));
    await answerWithin(ended, this.#bounds.timeoutMs).catch(() => abort(connection));
  }

  #forget(connection: Connection): void {
    abort(connection);
    if (this.#connection === connection) this.#connection = null;
  }
}

/**
 * The driver's own `destroy` only says goodbye: before a network that swallows everything the
 * socket would stay open, keep the process alive, and send what it still holds when it can.
 */
function abort(connection: Connection): void {
  connection.destroy();
  socketOf(connection).destroy();
}

/** The driver's `end` says goodbye, and leaves it to the server to close; a silent one does not. */
async function closeSocket(connection: Connection): Promise<void> {
  const socket = socketOf(connection);
  if (socket.destroyed) return;
  const closed = once(socket, 'close');
  socket.destroySoon();
  await closed;
}

function socketOf(connection: Connection): Socket {
  return (connection as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** A silent host may stay silent; another one need not be. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'PROTOCOL_SEQUENCE_TIMEOUT';
}

/** What a user of the channel holds while it is its turn. */
export class ChannelConnection extends Queryable {
  /** For whom the channel worked when its turn began. */
  readonly by: ChangedBy | null;
  readonly #channel: Channel;
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(channel: Channel, connection: Connection, timeoutMs: number) {
    super();
    this.by = channel.by;
    this.#channel = channel;
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** One statement. An error that is not the server's own word ends the connection. */
  async query<T = Row[]>(sql: string, parameters: readonly Parameter[] = []): Promise<T> {
    this.#channel.statements += 1;
    try {
      const values = parameters as unknown[];
      const [result] = await answerWithin(this.#connection.query({ sql, values }), this.#timeoutMs);
      return result as T;
    } catch (error) {
      const kind = classifyError(error);
      if (kind === 'unknown' || kind === 'contact') this.#channel.abandon(error);
      throw error;
    }
  }

  /** Ends the connection, e.g. because a transaction on it cannot be rolled back. */
  destroy(): void {
    this.#channel.destroy();
  }
}
