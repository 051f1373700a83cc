import { setImmediate as breath } from 'node:timers/promises';

/** So many ticks at a time: the hardest schedules take some milliseconds for each. */
const sliceTicks = 5;

/**
 * Collects ticks a slice at a time, with room for everything else of the node between: heartbeats
 * wait for nobody. `next` is given the instant after which it goes on, and how many are wanted.
 */
export async function slicedTicks<T>(
  afterMs: number,
  ticksMax: number,
  next: (afterMs: number, ticksMax: number) => readonly T[],
  instantOf: (tick: T) => number,
): Promise<T[]> {
  const ticks: T[] = [];
  let fromMs = afterMs;
  while (ticks.length < ticksMax) {
    const wanted = Math.min(sliceTicks, ticksMax - ticks.length);
    const slice = next(fromMs, wanted);
    ticks.push(...slice);
    const last = slice.at(-1);
    if (last === undefined || slice.length < wanted) break;
    fromMs = instantOf(last);
    await breath();
  }
  return ticks;
}
