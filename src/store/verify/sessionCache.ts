import type { SessionRecord } from '../../domain/verify/rules/records.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { rowOf } from '../rows/row.ts';
import { selectSession, sessionColumns } from './verifyTables.ts';

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
  async load(rows: readonly { readonly sessionId: string | null }[]): Promise<void> {
    const named = new Set(rows.flatMap(({ sessionId }) => sessionId ?? []));
    let wanted = [...named].filter((id) => !this.#sessions.has(id));
    if (wanted.length === 0) return;
    if (this.#sessions.size + wanted.length > this.#entriesMax) {
      this.#sessions.clear();
      wanted = [...named];
    }
    for (const id of wanted) this.#sessions.set(id, null);
    const found = await this.#connection.rows(rowOf(sessionColumns), selectSessions, [wanted]);
    for (const session of found) this.#sessions.set(session.sessionId, session);
  }

  /** The session, or null when there is no such row. */
  get(sessionId: string | null): SessionRecord | null {
    return sessionId === null ? null : (this.#sessions.get(sessionId) ?? null);
  }
}

const selectSessions = `/* verify session */ SELECT ${selectSession} FROM session
  WHERE session_id IN (?)`;
