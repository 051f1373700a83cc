import { Roster } from '../../src/actors/roster.ts';
import type { Launch } from '../../src/domain/launch.ts';
import type { NodeStore } from '../../src/domain/nodeStore.ts';
import type { Mutation } from './scenario.ts';

/** A store whose reader takes every other session for one that is not worth waiting for. */
export function plantInStore(store: NodeStore, mutation: Mutation | null): NodeStore {
  if (mutation !== 'reaper does not wait') return store;
  return {
    ...store,
    listSessions: async () => {
      const look = await store.listSessions();
      return { ...look, sessions: look.sessions.map((each) => ({ ...each, ttlMs: 500 })) };
    },
  };
}

/** A roster that knows slots and not launches. */
export function plantInRoster(
  roster: Roster,
  concurrency: number,
  mutation: Mutation | null,
): Roster {
  return mutation === 'set keyed by slot id' ? new SlotRoster(concurrency) : roster;
}

class SlotRoster extends Roster {
  readonly #launchBySlot = new Map<number, string>();
  readonly #slotByLaunch = new Map<string, number>();

  override add(launch: Launch, actor: Parameters<Roster['add']>[1]): void {
    this.#launchBySlot.set(launch.slotId, launch.launchId);
    this.#slotByLaunch.set(launch.launchId, launch.slotId);
    super.add(launch, actor);
  }

  /** One launch of the slot stands for every other. */
  override get(launchId: string): ReturnType<Roster['get']> {
    const slotId = this.#slotByLaunch.get(launchId);
    return super.get((slotId !== undefined && this.#launchBySlot.get(slotId)) || launchId);
  }

  override remove(launchId: string): void {
    const slotId = this.#slotByLaunch.get(launchId);
    const inPlace = (slotId !== undefined && this.#launchBySlot.get(slotId)) || launchId;
    super.remove(inPlace);
  }
}
