import type { ChartCoverage } from './chartCoverage.ts';
import type { ChildProcesses } from './childProcesses.ts';
import type { RandomSource } from './randomSource.ts';
import type { PlannedJob, Scenario } from './scenario.ts';
import type { MemoryServer } from './store/memoryServer.ts';
import type { Timeline } from './timeline.ts';

/** What everything in one simulated world shares. */
export interface World {
  readonly scenario: Scenario;
  /** Its jobs by their names. */
  readonly plans: ReadonlyMap<string, PlannedJob>;
  readonly timeline: Timeline;
  readonly random: RandomSource;
  readonly server: MemoryServer;
  readonly children: ChildProcesses;
  readonly coverage: ChartCoverage;
  /** Nodes whose store breaks an invariant at its next use. */
  readonly brokenNodes: Set<string>;
}
