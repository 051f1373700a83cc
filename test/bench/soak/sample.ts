import { percentile, short } from '../percentile.ts';
import type { SoakReport } from './soakClients.ts';
import type { Weight } from './soakNode.ts';

/** What was measured in one stretch of a soak. */
export interface Sample {
  /** At its end. */
  readonly atMs: number;
  /** Of each node, then. */
  readonly weights: readonly Weight[];
  readonly clients: SoakReport;
  /** Of the runs of as long a time, which ended a little before. */
  readonly latenessMs: readonly number[];
  /** Rows of the history, then. */
  readonly kept: number;
}

/** What is printed of it. */
export function figuresOfSample({ atMs, clients, kept, latenessMs, weights }: Sample) {
  return {
    at: new Date(atMs).toISOString(),
    nodes: weights.map(({ external, heap, rss }) => {
      return { heapMb: hundredth(heap), externalMb: hundredth(external), rssMb: hundredth(rss) };
    }),
    runs: latenessMs.length,
    latenessMs: ends(latenessMs),
    listMs: ends(clients.latenciesMs),
    kept,
  };
}

/** Growth of a hundredth of a MB is of interest, however large the heap. */
export function hundredth(mb: number): number {
  return Number(mb.toFixed(2));
}

export function ends(values: readonly number[]): { p50: number; p99: number } {
  return { p50: short(percentile(values, 0.5)), p99: short(percentile(values, 0.99)) };
}
