import type { Answer } from '../../api/callApi.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';

export type Live = Answer<'GET /machines/live'>;

/** A text at a state of a drawing, which is highlighted while something is in that state. */
export interface Mark {
  /** As in the drawing: `slot.prepare.waiting`. */
  readonly state: string;
  readonly text: string;
  readonly isActive: boolean;
}

/** The drawings and their titles, in the order of the menu; '' is the default. */
export const drawings = {
  '': 'all actors',
  lifecycle: 'lifecycle of a slot',
  slot: 'slot',
  node: 'node',
  scheduler: 'scheduler',
  committer: 'committer',
  heartbeat: 'heartbeat',
  compensator: 'compensator',
  reaper: 'reaper',
  poller: 'poller',
  notifier: 'notifier',
} as const;

/** The current states of what a drawing shows. */
export function marksOf(drawing: string, live: Live): readonly Mark[] {
  if (drawing === 'lifecycle') {
    return (['prepare', 'executing'] as const).map((state) => {
      const count = slotsIn(live, state);
      return { state: `lifecycle.${state}`, text: formatCount(count), isActive: count > 0 };
    });
  }
  if (drawing === 'slot') {
    return Object.entries(live.slotActors).map(([state, count]) => ({
      state: `slot.${state}`,
      text: formatCount(count),
      isActive: true,
    }));
  }
  if (drawing === 'actors') {
    const slots = Object.values(live.slotActors).reduce((sum, count) => sum + count, 0);
    const ofSlots = { state: 'actors.slot', text: countOf(slots, 'slot'), isActive: slots > 0 };
    const states = live.actors.map(({ actor, state }) => ({
      ...{ state: `actors.${actor}`, text: state, isActive: true },
    }));
    return [...states, ofSlots];
  }
  const actors = live.actors.filter(({ machine }) => machine === drawing);
  return actors.map(({ actor, state }) => ({
    state: `${drawing}.${state}`,
    text: actors.length === 1 ? 'now' : actor,
    isActive: true,
  }));
}

/** How many slots of the cluster are in a state, from the database. */
export function slotsIn({ nodes }: Live, state: 'prepare' | 'executing'): number {
  return nodes.reduce((sum, { slots }) => sum + slots[state], 0);
}
