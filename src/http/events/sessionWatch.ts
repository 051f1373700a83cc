import type { SessionEvent } from '../../store/events/readSessionEvents.ts';
import { iso, type StreamEvent, streamEvent } from './streamEvent.ts';

/** How far back a look reads again: longer than it takes from a NOW(3) to its COMMIT. */
export const sessionSlackMs = 10_000;

/** Tells what has become of the sessions between two looks. */
export class SessionWatch {
  /** By session: how much of its life was told. */
  #told: ReadonlyMap<string, Told> | null = null;

  /** Takes a look; the first one is only remembered. */
  look(sessions: readonly SessionEvent[], position: string): StreamEvent[] {
    const before = this.#told;
    this.#told = new Map(sessions.map((session) => [session.sessionId, toldOf(session)]));
    if (before === null) return [];
    return sessions.flatMap((session) => {
      const told = before.get(session.sessionId) ?? { isDraining: false, isEnded: false };
      const isNew = !before.has(session.sessionId);
      return [
        ...(isNew ? [joined(session, position)] : []),
        ...(session.isDraining && !told.isDraining ? [draining(session, position)] : []),
        ...(session.endedMs !== null && !told.isEnded ? [ended(session, position)] : []),
      ];
    });
  }
}

interface Told {
  readonly isDraining: boolean;
  readonly isEnded: boolean;
}

/**
 * What a client that goes on from an instant may not have heard of. What is just before it may come
 * a second time.
 */
export function sessionsSince(
  sessions: readonly SessionEvent[],
  sinceMs: number,
  position: string,
): StreamEvent[] {
  const fromMs = sinceMs - sessionSlackMs;
  return sessions.flatMap((session) => [
    ...(session.startedMs >= fromMs ? [joined(session, position)] : []),
    ...(session.endedMs !== null && session.endedMs >= fromMs ? [ended(session, position)] : []),
  ]);
}

function toldOf({ isDraining, endedMs }: SessionEvent): Told {
  return { isDraining, isEnded: endedMs !== null };
}

function joined(session: SessionEvent, position: string): StreamEvent {
  const { node, sessionId, host, version, startedMs } = session;
  const data = { type: 'session.joined', node, sessionId, host, version } as const;
  return streamEvent({ ...data, at: iso(startedMs) }, position);
}

function draining({ node, sessionId }: SessionEvent, position: string): StreamEvent {
  return streamEvent({ type: 'session.draining', node, sessionId }, position);
}

function ended(session: SessionEvent, position: string): StreamEvent {
  const { node, sessionId, endedMs, endedWhy: why } = session;
  return streamEvent(
    { type: 'session.ended', node, sessionId, at: iso(endedMs ?? 0), why },
    position,
  );
}
