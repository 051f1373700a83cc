import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from './createDatabase.ts';
import type { StoreWorld } from './storeWorld.ts';

type Watched = Pick<StoreWorld, 'rows'> & { readonly scope: Scope };

export interface Stalls {
  /** For how long, in milliseconds, nothing went on at the most. */
  longestMs(): number;
  /** How often nothing went on for that long, what goes on now with them. */
  longerThan(ms: number): number;
}

/**
 * Asks the database again and again how it is, until the scope ends, so that a test can tell what
 * was late by itself from what was late since this process or the server stood still.
 * @returns for how long, in milliseconds, nothing went on at the most.
 */
export function watchStalls(world: Watched): () => number {
  return countStalls(world).longestMs;
}

/** The same, for a test that has to know how often that was. */
export function countStalls({ rows, scope }: Watched): Stalls {
  const stallsMs: number[] = [];
  let [beganMs, isOver] = [performance.now(), false];
  const all = (): number[] => [...stallsMs, performance.now() - beganMs];
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await rows('SELECT 1');
      await delay(20);
      stallsMs.push(performance.now() - beganMs);
      beganMs = performance.now();
    }
  };
  const watching = watch();
  scope.after(async () => {
    isOver = true;
    await watching;
  });
  return {
    longestMs: () => Math.max(...all()),
    longerThan: (ms) => all().filter((each) => each > ms).length,
  };
}
