import type { SessionRecord } from '../../domain/verify/records.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { sessionRecord } from './verifyTables.ts';

/**
 * The sessions that rows name, read when they are first named and kept while there is room: a job's
 * history names the same few over and over.
 */
export class SessionCache {
  readonly #connection: ChannelConnection;
  readonly #entriesMax: number;
  readonly #sessions = new Map<string, SessionRecord | null>();

  constructor(connection: ChannelConnection, entriesMax = 20_000) {
    this.#connection = connection;
    this.#entriesMax = entriesMax;
  }

  /** Makes sure that `get` knows the sessions that these rows name. */
  async load(rows: readonly Row[]): Promise<void> {
    const wanted = new Set<string>();
    for (const { session_id: id } of rows) {
      if (id !== null && !this.#sessions.has(id as string)) wanted.add(id as string);
    }
    if (wanted.size === 0) return;
    if (this.#sessions.size + wanted.size > this.#entriesMax) {
      this.#sessions.clear();
      for (const { session_id: id } of rows) if (id !== null) wanted.add(id as string);
    }
    for (const id of wanted) this.#sessions.set(id, null);
    const found = await this.#connection.query<Row[]>(selectSessions, [[...wanted]]);
    for (const row of found) this.#sessions.set(row.session_id as string, sessionRecord(row));
  }

  /** The session, or null when there is no such row. */
  get(sessionId: string | null): SessionRecord | null {
    return sessionId === null ? null : (this.#sessions.get(sessionId) ?? null);
  }
}

const selectSessions = `/* verify session */ SELECT session_id, node_name, state, ttl_ms,
    started_at, renewed_at, ended_at, reaped_at
  FROM session WHERE session_id IN (?)`;
