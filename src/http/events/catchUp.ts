import { setTimeout as sleep } from 'node:timers/promises';
import type { EventReader } from '../../store/events/openEventReader.ts';
import type { RunEvent } from '../../store/events/readRunEvents.ts';
import type { EventClient } from './eventClient.ts';
import { type EventFeed, pageRows } from './eventFeed.ts';
import type { EventFilter } from './eventFilter.ts';
import { gapMsMax, RunTrail } from './runTrail.ts';
import { sessionSlackMs, sessionsSince } from './sessionWatch.ts';
import { runEnded, type StreamEvent, streamEvent } from './streamEvent.ts';
import { type StreamPosition, writePosition } from './streamPosition.ts';

/** A client on its way from its position to where the feed is. */
interface Latecomer {
  readonly client: EventClient;
  readonly filter: EventFilter;
  readonly position: StreamPosition;
}

/**
 * @param told rows that the client was told of and that the feed will find only later
 * @param meanwhile what the feed has told since the client's last look at the history
 */
type Join = (told: Set<number>, meanwhile: readonly StreamEvent[]) => void;

/**
 * Tells a client from the database what it has missed, up to what the feed has told everybody, then
 * calls `join` in the turn in which nothing is missing; false: the client is gone. What the feed
 * told before a mark was committed by then, so that a read after the mark sees it; what it tells
 * after the mark, it remembers. Nothing else is read: the positions that the client is given from
 * then on are the feed's, and with a row that is behind them it would be told of that one again.
 */
export async function catchUp(
  feed: EventFeed,
  reader: EventReader,
  { client, filter, position }: Latecomer,
  join: Join,
): Promise<boolean> {
  const { sessionsMs } = position;
  const { trail, nowMs } = await soundTrail(reader, { client, filter, position });
  await tellSessions(reader, { client, filter, position }, trail);
  const send = (rows: readonly RunEvent[], missing: ReadonlySet<number>): void => {
    for (const row of rows) {
      if (missing.has(row.runId)) continue;
      const isOld = nowMs - (row.endedMs ?? nowMs) > gapMsMax;
      if (!trail.take(row.runId, 0, isOld)) continue;
      const event = runEnded(row, writePosition(sessionsMs, trail));
      if (filter.passes(event)) client.send(event.bytes);
    }
  };
  for (let look = 1; ; look += 1) {
    const { seq, trail: fed } = feed.mark();
    let ahead = new Set<number>();
    if (filter.kinds.has('run')) {
      const missing = new Set(fed.gaps);
      for (let from: number | null = trail.high; from !== null && from < fed.high; ) {
        if (!(await client.room())) return false;
        const rows: RunEvent[] = await reader.runsAfter(from, fed.high, pageRows);
        send(rows, missing);
        from = rows.length < pageRows ? null : (rows.at(-1)?.runId ?? null);
      }
      const gaps = [...trail.gaps].filter((gap) => gap <= fed.high && !missing.has(gap));
      if (gaps.length > 0) send(await reader.runsAmong(gaps), missing);
      ahead = await toldAhead(reader, trail, fed);
    }
    if (!(await client.room())) return false;
    if (ahead.size > 0 && look < behindLooks) {
      await sleep(behindPauseMs);
      continue;
    }
    const meanwhile = feed.since(seq);
    // So much has happened meanwhile that it has to be read from the database as well.
    if (meanwhile === null) continue;
    join(ahead, meanwhile);
    return true;
  }
}

/**
 * Rows that the client was told of by another node and that the feed has yet to find. Numbers that
 * are nobody's row nobody was told of.
 */
async function toldAhead(
  reader: EventReader,
  trail: RunTrail,
  fed: RunTrail,
): Promise<Set<number>> {
  const missing = new Set(trail.gaps);
  const ahead = [...fed.gaps].filter((runId) => runId <= trail.high && !missing.has(runId));
  for (let runId = Math.max(fed.high, trail.high - aheadMax) + 1; runId <= trail.high; runId += 1) {
    if (!missing.has(runId)) ahead.push(runId);
  }
  if (ahead.length === 0) return new Set();
  const rows = await reader.runsAmong(ahead.slice(-aheadMax));
  return new Set(rows.map(({ runId }) => runId));
}

/** More than nodes end between two looks of a feed. */
const aheadMax = 5_000;

/** How long a feed, or a member of a cluster, may be behind the one that the position is of. */
const behindLooks = 4;
const behindPauseMs = 500;

/**
 * Where the client goes on. It is told when the history does not reach back to its position, and
 * when it ends before it, as that of a database does which was restored from the past.
 */
async function soundTrail(
  reader: EventReader,
  { client, filter, position: { trail } }: Latecomer,
): Promise<{ readonly trail: RunTrail; readonly nowMs: number }> {
  for (let look = 1; ; look += 1) {
    const { deletedUntil, high, nowMs } = await reader.historyBounds(filter.scope);
    if (high < trail.high && look < behindLooks) {
      await sleep(behindPauseMs);
      continue;
    }
    if (high < trail.high) {
      client.send(reset('restored', 'The history ends before this position.'));
      return { trail: new RunTrail(high), nowMs };
    }
    if (filter.kinds.has('run') && deletedUntil > trail.low) {
      client.send(reset('cleaned', 'Of what came after this position, rows were cleaned away.'));
    }
    return { trail, nowMs };
  }
}

/** Says that what comes is not the whole. */
export function reset(reason: 'cleaned' | 'restored' | 'unreadable', message: string): Uint8Array {
  return streamEvent({ type: 'stream.reset', reason, message }).bytes;
}

async function tellSessions(
  reader: EventReader,
  { client, filter, position: { sessionsMs } }: Latecomer,
  trail: RunTrail,
): Promise<void> {
  if (!filter.kinds.has('session')) return;
  const { sessions } = await reader.sessions(sessionsMs - sessionSlackMs);
  for (const event of sessionsSince(sessions, sessionsMs, writePosition(sessionsMs, trail))) {
    client.send(event.bytes);
  }
}
