import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { ClockSample } from '../../checkers/history.ts';
import { bootNowMs } from '../world/bootNow.ts';

/** Holds the database's clock against the boot clock all along, on a connection of its own. */
export interface ClockSampler {
  readonly samples: readonly ClockSample[];
  /** The sessions that were live at the last look, by node. */
  readonly live: ReadonlyMap<string, LiveSession>;
  /** One more now, e.g. before and after a step; null: the database did not answer. */
  sample(): Promise<ClockSample | null>;
  close(): Promise<void>;
}

export interface LiveSession {
  readonly sessionId: string;
  readonly processId: number;
  /** When this was first seen. */
  readonly sinceMs: number;
}

const periodMs = 200;
const timeoutMs = 1_000;
/** A sample is the middle of its round trip, wrong by up to half of it: rules forgive 2 ms. */
const roundTripMsMax = 4;
const triesMax = 5;

/** @param url tells, at each connect, where to look: a member that answers. */
export function startClockSampler(url: () => Promise<string>): ClockSampler {
  const samples: ClockSample[] = [];
  const live = new Map<string, LiveSession>();
  let connection: Connection | null = null;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const drop = (): void => {
    connection?.destroy();
    connection = null;
  };
  const take = async (withSessions: boolean): Promise<ClockSample | null> => {
    try {
      connection ??= await connect(await url(), drop);
      const sample = await bestOf(connection, samples);
      if (withSessions) await lookAtSessions(connection, live);
      return sample;
    } catch {
      drop(); // it is the database that is broken now; the next look tries again
      return null;
    }
  };
  const inTurn = (withSessions: boolean): Promise<ClockSample | null> => {
    const own = turn.then(() => (isClosed ? null : take(withSessions)));
    turn = own;
    return own;
  };
  const loop = (async () => {
    while (!isClosed) {
      await inTurn(true);
      await sleep(periodMs);
    }
  })();
  return {
    samples,
    live,
    sample: () => inTurn(false),
    close: async () => {
      isClosed = true;
      await loop;
      drop();
    },
  };
}

async function connect(uri: string, onError: () => void): Promise<Connection> {
  const connection = await mysql.createConnection({ uri, connectTimeout: timeoutMs });
  connection.on('error', onError);
  await connection.query({ sql: "SET time_zone = '+00:00'", timeout: timeoutMs });
  return connection;
}

/** A few tries for a quick answer; the first is mostly quick enough. */
async function bestOf(connection: Connection, samples: ClockSample[]): Promise<ClockSample | null> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const sentMs = bootNowMs();
    const [rows] = await connection.query<RowDataPacket[]>({ sql: readClock, timeout: timeoutMs });
    const cameMs = bootNowMs();
    if (cameMs - sentMs > roundTripMsMax) continue;
    const sample = { atMs: (sentMs + cameMs) / 2, databaseMs: Number(rows[0]?.now_ms) };
    samples.push(sample);
    return sample;
  }
  return null;
}

async function lookAtSessions(
  connection: Connection,
  live: Map<string, LiveSession>,
): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>({ sql: readLive, timeout: timeoutMs });
  const before = new Map(live);
  live.clear();
  for (const { session_id: sessionId, node_name: node, process_id: processId } of rows) {
    const known = before.get(node);
    const sinceMs =
      known !== undefined && known.sessionId === sessionId ? known.sinceMs : bootNowMs();
    live.set(node, { sessionId, processId, sinceMs });
  }
}

const readClock = 'SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000 AS now_ms';
const readLive = "SELECT session_id, node_name, process_id FROM session WHERE state = 'live'";
