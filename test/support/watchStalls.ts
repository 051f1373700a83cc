import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from './createDatabase.ts';
import type { StoreWorld } from './storeWorld.ts';

/**
 * Asks the database again and again how it is, until the scope ends, so that a test can tell what
 * was late by itself from what was late since this process or the server stood still.
 * @returns for how long, in milliseconds, nothing went on at the most.
 */
export function watchStalls({ rows, scope }: Pick<StoreWorld, 'rows'> & { readonly scope: Scope }) {
  let [longestMs, beganMs, isOver] = [0, performance.now(), false];
  const longest = (): number => Math.max(longestMs, performance.now() - beganMs);
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await rows('SELECT 1');
      await delay(20);
      longestMs = longest();
      beganMs = performance.now();
    }
  };
  const watching = watch();
  scope.after(async () => {
    isOver = true;
    await watching;
  });
  return longest;
}
