import type { HeldSlotShown, SessionEvent } from '../../store/events/openEventReader.ts';
import type { StreamEventData } from '../contract/eventContract.ts';
import { isoOf } from '../views/isoOf.ts';
import { launchData, type StreamEvent, streamEvent } from './streamEvent.ts';

/** The slots of one look, by their launches. */
export type HeldSlots = ReadonlyMap<string, HeldSlotShown>;

/**
 * What has changed between two looks at the slots of all nodes. The database keeps no history of
 * states, so that what came and went between two looks is not seen, and nothing of it is resumed;
 * the ends of runs are, see `RunTrail`.
 */
export function slotChanges(before: HeldSlots, now: HeldSlots): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const [launchId, slot] of now) {
    const from = before.get(launchId)?.state ?? 'idle';
    if (from !== slot.state) events.push(...changed(slot, from, slot.state));
  }
  for (const [launchId, slot] of before) {
    if (!now.has(launchId)) events.push(...changed(slot, slot.state, 'idle'));
  }
  return events;
}

type State = 'idle' | 'prepare' | 'executing';

function changed(slot: HeldSlotShown, from: State, state: State): StreamEvent[] {
  const about = launchData(slot);
  const events = [streamEvent({ type: 'slot.changed', ...about, state, from }, null, slot)];
  if (state === 'executing' && slot.startedMs !== null) {
    const startedAt = isoOf(slot.startedMs);
    events.push(streamEvent({ type: 'run.started', ...about, startedAt }, null, slot));
  }
  return events;
}

/** How far back a look reads again: longer than it takes from a NOW(3) to its COMMIT. */
export const sessionSlackMs = 10_000;

type SessionEventData = Extract<StreamEventData, { type: `session.${string}` }>;

/** By a key of its own each. */
type SessionEvents = ReadonlyMap<string, SessionEventData>;

/** All that has happened to some sessions, each by a key of its own. */
export function sessionEvents(sessions: readonly SessionEvent[]): Map<string, SessionEventData> {
  const events = sessions.flatMap(eventsOf);
  return new Map(events.map((event) => [`${event.type} ${event.sessionId}`, event]));
}

/** Nodes that were cordoned by the look before, and are there and take work by this one. */
export function uncordoned(before: SessionEvents, now: SessionEvents): SessionEventData[] {
  return [...before].flatMap(([key, { type, node, sessionId }]) => {
    if (type !== 'session.cordoned' || now.has(key)) return [];
    const isThere = now.has(`session.joined ${sessionId}`);
    const isLeaving = now.has(`session.draining ${sessionId}`);
    return isThere && !isLeaving ? [{ type: 'session.uncordoned', node, sessionId }] : [];
  });
}

/** What a client that goes on from an instant may have missed; some of it, it may know. */
export function sessionsSince(sessions: readonly SessionEvent[], sinceMs: number): StreamEvent[] {
  const from = isoOf(sinceMs - sessionSlackMs);
  const events = sessions.flatMap(eventsOf).filter((event) => 'at' in event && event.at >= from);
  return events.map((event) => streamEvent(event));
}

/** All that has happened to a session. */
function eventsOf(session: SessionEvent): SessionEventData[] {
  const { node, sessionId, host, version, startedMs, isDraining, isCordoned, endedMs, endedWhy } =
    session;
  const which = { node, sessionId };
  const events: SessionEventData[] = [
    { type: 'session.joined', ...which, host, version, at: isoOf(startedMs) },
  ];
  if (isCordoned) events.push({ type: 'session.cordoned', ...which });
  else if (isDraining) events.push({ type: 'session.draining', ...which });
  if (endedMs !== null) {
    events.push({ type: 'session.ended', ...which, at: isoOf(endedMs), why: endedWhy });
  }
  return events;
}
