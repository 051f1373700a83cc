import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../store/events/readRunEvents.ts';
import { sessionSlackMs, sessionsSince } from './clusterChanges.ts';
import { type ClusterWatch, pageRows } from './clusterWatch.ts';
import type { EventClient } from './eventClient.ts';
import type { EventFilter } from './eventFilter.ts';
import { runEnded, type StreamEvent, type StreamPosition, streamEvent } from './streamEvent.ts';

/** A client that is behind what the watch has sent to the others. */
interface Latecomer {
  readonly client: EventClient;
  readonly filter: EventFilter;
  readonly position: StreamPosition;
}

/**
 * Sends a client what it has missed. First what is settled: those rows stay as they are, and each
 * is a position. Then the client follows the watch: what the watch finds from then on is kept for
 * it, and what the watch had found until then is read from the database, all but the gaps of its
 * trail, which it will find itself.
 * @param follow called with the row up to which the client needs nothing of the watch
 */
export async function catchUp(
  watch: ClusterWatch,
  { client, filter, position }: Latecomer,
  follow: (settled: number) => void,
): Promise<void> {
  const { reader, trail } = watch;
  const send = (events: readonly StreamEvent[]): void => {
    client.send(...events.filter(filter.passes).map(({ bytes }) => bytes));
  };
  const { sessionsMs } = position;
  const start = await checkedStart(watch, { client, filter, position });
  const { sessions } = await reader.sessions(sessionsMs - sessionSlackMs);
  send(sessionsSince(sessions, sessionsMs));
  if (!filter.kinds.has('run')) return follow(start);
  let sent = start;
  /** Sends one page of the rows up to `until`; false: it was the last, or the client is gone. */
  const sendPage = async (
    until: number,
    eventsOf: (rows: readonly RunEvent[]) => StreamEvent[],
  ): Promise<boolean> => {
    if (!(await client.room())) return false;
    const rows = await reader.runsAfter(sent, until, pageRows);
    send(eventsOf(rows));
    sent = rows.at(-1)?.runId ?? sent;
    return rows.length === pageRows;
  };
  const settledEvents = (rows: readonly RunEvent[]) =>
    rows.map((row) => runEnded(row, { sessionsMs, runId: row.runId }));
  while (await sendPage(trail.settled, settledEvents));
  follow(start);
  const { high } = trail;
  const gaps = new Set(trail.gaps);
  const otherEvents = (rows: readonly RunEvent[]) =>
    rows.filter(({ runId }) => !gaps.has(runId)).map((row) => runEnded(row, null));
  while (await sendPage(high, otherEvents));
}

/** How long a feed, or a member of a cluster, may be behind the one that the position is of. */
const behindLooks = 4;
const behindPauseMs = 500;

/**
 * The row from which the client goes on. It gets a reset when the history does not reach to its
 * position, and when it ends before it, as that of a database does which was restored.
 */
async function checkedStart(
  { reader }: ClusterWatch,
  { client, filter, position: { runId } }: Latecomer,
): Promise<number> {
  let bounds = await reader.historyBounds(filter.scope);
  for (let look = 1; bounds.high < runId && look < behindLooks; look += 1) {
    await sleep(behindPauseMs);
    bounds = await reader.historyBounds(filter.scope);
  }
  if (bounds.high < runId) {
    client.send(reset('restored', 'The history ends before this position.'));
    return bounds.high;
  }
  if (filter.kinds.has('run') && bounds.deletedUntil > runId) {
    client.send(reset('cleaned', 'Of what came after this position, rows were cleaned away.'));
  }
  return runId;
}

/** Says that what comes is not the whole. */
export function reset(reason: 'cleaned' | 'restored' | 'unreadable', message: string): Uint8Array {
  return streamEvent({ type: 'stream.reset', reason, message }).bytes;
}
