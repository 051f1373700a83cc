import type { SessionEvent } from '../../store/events/openEventReader.ts';
import type { StreamEventData } from './eventSchemas.ts';
import { iso, type StreamEvent, streamEvent } from './streamEvent.ts';
import type { StreamPosition } from './streamPosition.ts';

/** How far back a look reads again: longer than it takes from a NOW(3) to its COMMIT. */
export const sessionSlackMs = 10_000;

/** Finds what has become of the sessions between two looks. */
export class SessionWatch {
  #seen: ReadonlySet<string> | null = null;

  /** Takes a look; the first one is only remembered. */
  look(sessions: readonly SessionEvent[], position: StreamPosition): StreamEvent[] {
    const before = this.#seen;
    const events = sessions.flatMap(eventsOf);
    const keyOf = ({ type, sessionId }: SessionEventData) => `${type} ${sessionId}`;
    this.#seen = new Set(events.map(keyOf));
    if (before === null) return [];
    const fresh = events.filter((event) => !before.has(keyOf(event)));
    return fresh.map((event) => streamEvent(event, position));
  }
}

/** What a client that goes on from an instant may have missed; some of it, it may know. */
export function sessionsSince(sessions: readonly SessionEvent[], sinceMs: number): StreamEvent[] {
  const from = iso(sinceMs - sessionSlackMs);
  const events = sessions.flatMap(eventsOf).filter((event) => 'at' in event && event.at >= from);
  return events.map((event) => streamEvent(event));
}

type SessionEventData = Extract<StreamEventData, { type: `session.${string}` }>;

/** All that has happened to a session. */
function eventsOf(session: SessionEvent): SessionEventData[] {
  const { node, sessionId, host, version, startedMs, isDraining, endedMs, endedWhy } = session;
  const which = { node, sessionId };
  const events: SessionEventData[] = [
    { type: 'session.joined', ...which, host, version, at: iso(startedMs) },
  ];
  if (isDraining) events.push({ type: 'session.draining', ...which });
  if (endedMs !== null) {
    events.push({ type: 'session.ended', ...which, at: iso(endedMs), why: endedWhy });
  }
  return events;
}
