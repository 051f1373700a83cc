import type { Trigger } from '../../domain/run/run.ts';
import { Channel, type ChannelBounds } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { each, flag, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import {
  groupOfJob,
  type HistoryScope,
  readHistoryBounds,
  readRunsAfter,
  readRunsAmong,
  readSettledRun,
} from './readRunEvents.ts';

/** All that a stream of events reads of the database, without locks. */
export type EventReader = ReturnType<typeof openEventReader>;

/** Nothing depends on these reads: they wait longer than a node's own, and lock nothing. */
const bounds: ChannelBounds = { timeoutMs: 5_000, lockWaitSeconds: 1, silenceSeconds: 15 };

/** Opens a connection of its own for reading events, at the first use. */
export function openEventReader(address: DatabaseAddress, name: string) {
  const channel = new Channel(name, address, bounds);
  return {
    settledRun: (ageMs: number) => readSettledRun(channel, ageMs),
    runsAfter: (after: number, until: number, rowsMax: number) =>
      readRunsAfter(channel, after, until, rowsMax),
    runsAmong: (runIds: readonly number[]) => readRunsAmong(channel, runIds),
    historyBounds: (scope: HistoryScope) => readHistoryBounds(channel, scope),
    /** What all sessions hold now, at most so many. */
    heldSlots: (slotsMax: number) => channel.rows(heldSlotShown, selectHeld, [slotsMax]),
    sessions: (sinceMs: number) => readSessionEvents(channel, sinceMs),
    close: () => channel.close(),
  };
}

const heldSlotShown = rowOf({
  ...each(text, 'launchId', 'job', 'group', 'nodeName', 'sessionId'),
  state: wordOf<'prepare' | 'executing'>(),
  ...each(integer, 'revision', 'slotNo', 'attempt'),
  ...each(nullable(text), 'node', 'requestId'),
  trigger: wordOf<Trigger>(),
  scheduledForMs: instantMs,
  startedMs: nullable(instantMs),
});
/** A slot that some session holds, as events have it. */
export type HeldSlotShown = ReturnType<typeof heldSlotShown>;

const selectHeld = `/* readHeldSlots */ SELECT STRAIGHT_JOIN slot.launch_id, slot.state,
    slot.revision, slot.node_name, slot.slot_no, slot.session_id, slot.triggered_by AS 'trigger',
    slot.attempt, slot.request_id, slot.scheduled_for, slot.started_at AS started, job.name AS job,
    IFNULL(NULLIF(${groupOfJob}, ''), 'default') AS 'group', session.node_name AS node
  FROM slot FORCE INDEX (slot_by_session) JOIN job ON job.job_id = slot.job_id
    LEFT JOIN session ON session.session_id = slot.session_id
  WHERE slot.session_id IS NOT NULL AND slot.state <> 'idle' LIMIT ?`;

const sessionEvent = rowOf({
  ...each(text, 'sessionId', 'node', 'host', 'version'),
  ...each(flag, 'isDraining', 'isCordoned'),
  ttlMs: integer,
  startedMs: instantMs,
  endedMs: nullable(instantMs),
  endedWhy: nullable(text),
  /** The database's clock. */
  nowMs: instantMs,
});
/** A session as events have it. */
export type SessionEvent = Omit<ReturnType<typeof sessionEvent>, 'nowMs'>;

/**
 * The sessions that are live or not reaped, and those reaped since: everything that may have come
 * or gone since then. A session is reaped after its end.
 * @param sinceMs by the database's clock
 */
async function readSessionEvents(channel: Channel, sinceMs: number) {
  const sessions = await channel.rows(sessionEvent, selectSessions, [new Date(sinceMs)]);
  const nowMs = sessions[0]?.nowMs ?? (await channel.readNow());
  return { sessions, nowMs };
}

const selectSessions = `/* readSessionEvents */ SELECT session_id, node_name AS node, host,
    version, draining AS is_draining, cordoned AS is_cordoned,
    ttl_ms, started_at AS started, ended_at AS ended, ended_why,
    NOW(3) AS now
  FROM session WHERE reaped_at IS NULL OR reaped_at >= ?
  ORDER BY started_at, session_id`;
