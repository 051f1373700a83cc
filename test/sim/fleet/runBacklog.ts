import { countBroken } from './countBroken.ts';
import { type LoadReport, measureLoad } from './measureLoad.ts';
import type { ModelConstants } from './modelConstants.ts';
import { overdueMs } from './planFleet.ts';
import type { FleetOptions } from './readFleetOptions.ts';
import { type OnFleetProgress, SimulatedFleet } from './simulatedFleet.ts';

/** How a fleet made up for a backlog. */
export interface BacklogReport {
  readonly nodes: number;
  readonly seed: number;
  readonly backlog: number;
  readonly lastsMs: number;
  readonly concurrency: number;
  readonly started: number;
  /** From the moment at which all are there to the last start, simulated. */
  readonly tookMs: number;
  readonly startsPerSecond: number;
  readonly load: LoadReport;
  readonly violations: number;
  /** How many of each promise and rule; that a backlog is late is none. */
  readonly broken: Readonly<Record<string, number>>;
  readonly constants: ModelConstants;
  readonly tookSeconds: number;
}

const stepMs = 100;
const giveUpMs = 600_000;

/** Simulates nodes at rest that find so many slots due at once, until the last of them started. */
export async function runBacklog(
  options: FleetOptions,
  onProgress: OnFleetProgress = () => undefined,
): Promise<BacklogReport> {
  const { nodes, seed, backlog, lastsMs, concurrency, constants } = options;
  const fleet = new SimulatedFleet(options, onProgress);
  const { children } = fleet.world;
  await fleet.runTo('joining', fleet.times.idleUntilMs);
  fleet.putJobs(2 * overdueMs);
  const fromMs = fleet.timeline.nowMs();
  const load = await measureLoad(fleet.world, fleet.model, async () => {
    while (children.records.length < backlog && fleet.timeline.nowMs() - fromMs < giveUpMs) {
      await fleet.timeline.runUntil(fleet.timeline.nowMs() + stepMs);
      onProgress({ part: 'making up', share: children.records.length / (backlog + 1) });
    }
  });
  const started = children.records.length;
  const tookMs =
    children.records.reduce((last, each) => Math.max(last, each.startedMs), 0) - fromMs;
  // The last of them end, so that each has its row.
  await fleet.timeline.runUntil(fleet.timeline.nowMs() + lastsMs + 5_000);
  const violations = fleet.judge().filter(({ promise }) => promise !== 'P12');
  return {
    ...{ nodes, seed, backlog, lastsMs, concurrency, started, tookMs },
    startsPerSecond: (started * 1_000) / tookMs,
    ...{ load, violations: violations.length, broken: countBroken(violations), constants },
    tookSeconds: fleet.usage().tookSeconds,
  };
}
