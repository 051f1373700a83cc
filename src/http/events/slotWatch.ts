import type { HeldSlotShown } from '../../store/events/openEventReader.ts';
import { iso, launchData, type StreamEvent, streamEvent } from './streamEvent.ts';

/**
 * Finds what has changed between two looks at the slots of all nodes. The database keeps no history
 * of states, so that what came and went between two looks is not seen, and nothing of it is
 * resumed; the ends of runs are, see `RunTrail`.
 */
export class SlotWatch {
  #held: ReadonlyMap<string, HeldSlotShown> | null = null;

  /** Takes a look; the first one after `forget` is only remembered. */
  look(slots: readonly HeldSlotShown[]): StreamEvent[] {
    const before = this.#held;
    const now = new Map(slots.map((slot) => [slot.launchId, slot]));
    this.#held = now;
    if (before === null) return [];
    const events: StreamEvent[] = [];
    for (const slot of slots) {
      const from = before.get(slot.launchId)?.state ?? 'idle';
      if (from !== slot.state) events.push(...changed(slot, from, slot.state));
    }
    for (const [launchId, slot] of before) {
      if (!now.has(launchId)) events.push(...changed(slot, slot.state, 'idle'));
    }
    return events;
  }

  forget(): void {
    this.#held = null;
  }
}

type State = 'idle' | 'prepare' | 'executing';

function changed(slot: HeldSlotShown, from: State, state: State): StreamEvent[] {
  const about = launchData(slot);
  const events = [streamEvent({ type: 'slot.changed', ...about, state, from }, null, slot)];
  if (state === 'executing' && slot.startedMs !== null) {
    const startedAt = iso(slot.startedMs);
    events.push(streamEvent({ type: 'run.started', ...about, startedAt }, null, slot));
  }
  return events;
}
