import { percentile } from '../../bench/percentile.ts';
import type { World } from '../world.ts';
import type { FleetOptions } from './readFleetOptions.ts';

/** What became of the ticks that fell into a window. */
export interface StartsReport {
  /** As many as jobs had to start. */
  readonly ticks: number;
  readonly started: number;
  /** Within a second. */
  readonly inTime: number;
  /** A tick that was not started is as late as the window's end. */
  readonly latenessP50Ms: number;
  readonly latenessP99Ms: number;
  readonly startsPerSecond: number;
  /** Starts of the busiest node over the mean of all. */
  readonly busiest: number;
  readonly nodesWithStarts: number;
}

const inTimeMs = 1_000;

/**
 * Reads the ledger of the children against the ticks that the jobs' schedules name.
 * The window ends now.
 * @param runs ticks of each whole second
 * @param nodes that there are in it
 */
export function measureStarts(
  { children, server, timeline }: World,
  { runs, seconds }: Pick<FleetOptions, 'runs' | 'seconds'>,
  nodes: number,
): StartsReport {
  const endMs = timeline.nowMs();
  const databaseOfMs = server.exactNowMs() - endMs;
  const fromMs = endMs - seconds * 1_000;
  const owed = new Map<number, number>();
  const firstMs = Math.ceil((fromMs + databaseOfMs) / 1_000) * 1_000;
  // Those after that have not had the time that a start in time may take.
  const lastMs = endMs + databaseOfMs - inTimeMs;
  for (let tickMs = firstMs; tickMs <= lastMs; tickMs += 1_000) owed.set(tickMs, runs);
  const ticks = owed.size * runs;
  const lateness: number[] = [];
  const byNode = new Map<string, number>();
  for (const { node, scheduledForDatabaseMs: tickMs, startedMs } of children.records) {
    if (startedMs >= fromMs) byNode.set(node, (byNode.get(node) ?? 0) + 1);
    const left = owed.get(tickMs);
    if (left === undefined) continue;
    owed.set(tickMs, left - 1);
    lateness.push(startedMs + databaseOfMs - tickMs);
  }
  const started = lateness.length;
  const inTime = lateness.filter((ms) => ms <= inTimeMs).length;
  for (const [tickMs, left] of owed) {
    for (let each = 0; each < left; each += 1) lateness.push(endMs + databaseOfMs - tickMs);
  }
  const starts = [...byNode.values()];
  const total = starts.reduce((sum, each) => sum + each, 0);
  return {
    ...{ ticks, started, inTime },
    latenessP50Ms: percentile(lateness, 0.5),
    latenessP99Ms: percentile(lateness, 0.99),
    startsPerSecond: (total * 1_000) / (endMs - fromMs),
    busiest: (Math.max(0, ...starts) * nodes) / Math.max(1, total),
    nodesWithStarts: byNode.size,
  };
}
