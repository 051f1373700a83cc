import type { TickSource } from './tickSource.ts';

/** The first so many ticks strictly after an instant, ascending; fewer when no more will come. */
export function firstTicks(source: TickSource, afterMs: number, ticksMax: number): number[] {
  const ticks: number[] = [];
  for (let fromMs = afterMs; ticks.length < ticksMax; ) {
    const tickMs = source.next(fromMs);
    if (tickMs === null) break;
    ticks.push(tickMs);
    fromMs = tickMs;
  }
  return ticks;
}
