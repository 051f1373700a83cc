import { Roster } from '../../src/actors/runtime/roster.ts';
import { done } from '../../src/domain/commit/batch.ts';
import type { NodeStore } from '../../src/domain/commit/nodeStore.ts';
import { committed } from '../../src/domain/errors/outcome.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import type { Mutation } from './scenario.ts';

/** A store whose answers are not what the database said. */
export function plantInStore(store: NodeStore, mutation: Mutation | null): NodeStore {
  if (mutation === 'unknown start taken for yes') return hopefulStore(store);
  if (mutation !== 'reaper does not wait') return store;
  return {
    ...store,
    listSessions: async () => {
      const look = await store.listSessions();
      return { ...look, sessions: look.sessions.map((each) => ({ ...each, ttlMs: 500 })) };
    },
  };
}

function hopefulStore(store: NodeStore): NodeStore {
  return {
    ...store,
    commitBatch: async (requests) => {
      const outcome = await store.commitBatch(requests);
      const isHoped =
        outcome.outcome === 'unknown' && requests.every(({ kind }) => kind === 'start');
      return isHoped ? committed(requests.map(() => done)) : outcome;
    },
  };
}

/** A roster that knows slots and not launches. */
export function plantInRoster(
  roster: Roster,
  concurrency: number,
  mutation: Mutation | null,
): Roster {
  return mutation === 'set keyed by slot id' ? new SlotRoster(concurrency, () => 0) : roster;
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
