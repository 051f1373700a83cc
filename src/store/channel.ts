import type { Socket } from 'node:net';
import mysql, { type Connection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { answerWithin } from './answerWithin.ts';
import { classifyError } from './classifyError.ts';
import type { DatabaseAddress } from './databaseAddress.ts';

/** The bounds of every wait on the database, milliseconds (lock wait < time-out < TTL − fence). */
export interface ChannelBounds {
  /** After this long without a reply the connection is destroyed. */
  timeoutMs: number;
  lockWaitSeconds: number;
  /** The server cuts a silent holder of locks after this. */
  silenceSeconds: number;
}

const prepareSession = `/* prepareSession */ SET time_zone = '+00:00',
  sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
  wait_timeout = ?, innodb_lock_wait_timeout = ?`;
const readOnly = '/* prepareSession */ SELECT @@global.read_only AS read_only';
const keepAlive = '/* keepAlive */ DO 0';
const readCommitted = '/* prepareSession */ SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

export type Row = RowDataPacket;
export type Parameter = string | number | boolean | Date | null | Uint8Array | readonly Parameter[];

/**
 * One long-lived connection for one user at a time, opened when it is needed and opened anew after
 * it broke. Dedicated, so that a crowded server (1040) cannot take the heartbeat's place away.
 * After a time-out, or any error that is not the server's own word, the connection is destroyed:
 * the driver would leave it usable with a transaction open. Statements are text with placeholders
 * that the driver escapes, each beginning with its name in a comment, so that a process list, a
 * slow log and a proxy can tell them apart.
 */
export class Channel {
  readonly name: string;
  readonly #address: DatabaseAddress;
  readonly #bounds: ChannelBounds;
  #connection: Connection | null = null;
  #hostNumber = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;
  #usedAtMs = 0;
  #pinger: NodeJS.Timeout | null = null;
  /** Statements sent so far, for the benches and the metrics. */
  statements = 0;

  constructor(name: string, address: DatabaseAddress, bounds: ChannelBounds) {
    this.name = name;
    this.#address = address;
    this.#bounds = bounds;
  }

  /**
   * Runs `work` when every earlier user of the channel is done; opens the connection if need be.
   */
  use<T>(work: (connection: ChannelConnection) => Promise<T>): Promise<T> {
    const turn = this.#tail.then(async () => {
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

  /** One writing statement on its own; resolves to the number of rows it matched. */
  async change(sql: string, parameters: readonly Parameter[] = []): Promise<number> {
    return (await this.query<ResultSetHeader>(sql, parameters)).affectedRows;
  }

  /** Throws the connection away; the next use opens another, on the next host when asked. */
  destroy(toNextHost = false): void {
    if (this.#connection !== null) abort(this.#connection);
    this.#connection = null;
    if (toNextHost) this.#hostNumber += 1;
  }

  /** Ends the channel for good, after what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#pinger !== null) clearInterval(this.#pinger);
    await this.#tail;
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    await answerWithin(connection.end(), this.#bounds.timeoutMs).catch(() => abort(connection));
  }

  async #open(): Promise<Connection> {
    if (this.#closed) throw new Error(`the channel ${this.name} is closed`);
    const { hosts, options } = this.#address;
    const place = hosts[this.#hostNumber % hosts.length];
    try {
      const connection = await mysql.createConnection({
        ...options,
        ...place,
        connectTimeout: this.#bounds.timeoutMs,
        timezone: 'Z',
        charset: 'utf8mb4_bin',
        supportBigNumbers: true,
      });
      connection.on('error', () => this.#forget(connection));
      await this.#prepareSession(connection);
      this.#connection = connection;
      this.#keepAlive();
      return connection;
    } catch (error) {
      this.#hostNumber += 1;
      throw error;
    }
  }

  async #prepareSession(connection: Connection): Promise<void> {
    const { timeoutMs, lockWaitSeconds, silenceSeconds } = this.#bounds;
    try {
      const values = [silenceSeconds, lockWaitSeconds];
      await answerWithin(connection.query({ sql: prepareSession, values }), timeoutMs);
      await answerWithin(connection.query(readCommitted), timeoutMs);
      if (this.#address.hosts.length > 1) await refuseReadOnly(connection, timeoutMs);
    } catch (error) {
      abort(connection);
      throw error;
    }
  }

  /** An idle connection is spoken to, since the server cuts silent ones soon. */
  #keepAlive(): void {
    if (this.#pinger !== null) return;
    const periodMs = (this.#bounds.silenceSeconds * 1000) / 3;
    this.#pinger = setInterval(() => {
      const connection = this.#connection;
      if (connection === null || performance.now() - this.#usedAtMs < periodMs) return;
      // A statement, since the driver's ping has no time-out; an error destroys the connection, and
      // the next use opens another and says what is wrong.
      this.query(keepAlive).catch(() => undefined);
    }, periodMs);
    this.#pinger.unref();
  }

  #forget(connection: Connection): void {
    if (this.#connection === connection) this.#connection = null;
  }
}

/**
 * The driver's own `destroy` only says goodbye: before a network that swallows everything the
 * socket would stay open, keep the process alive, and send what it still holds when it can.
 */
function abort(connection: Connection): void {
  connection.destroy();
  (connection as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/**
 * Of several hosts only one that takes writes will do, for looks too: a replica may lag, and a node
 * that looks at one sees nothing due. Thrown like the server's own 1290, so that the next is tried.
 */
async function refuseReadOnly(connection: Connection, timeoutMs: number): Promise<void> {
  const [rows] = await answerWithin(connection.query<Row[]>(readOnly), timeoutMs);
  if (Number(rows[0]?.read_only) === 0) return;
  throw Object.assign(new Error('this member of the cluster is read-only'), { errno: 1290 });
}

/** What a user of the channel holds while it is its turn. */
export class ChannelConnection {
  readonly #channel: Channel;
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(channel: Channel, connection: Connection, timeoutMs: number) {
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
      if (kind === 'unknown' || kind === 'contact') this.#channel.destroy(kind === 'contact');
      throw error;
    }
  }

  /** One writing statement; resolves to the number of rows it matched. */
  async change(sql: string, parameters: readonly Parameter[] = []): Promise<number> {
    return (await this.query<ResultSetHeader>(sql, parameters)).affectedRows;
  }

  /** Ends the connection, e.g. because a transaction on it cannot be rolled back. */
  destroy(): void {
    this.#channel.destroy();
  }
}
