import { countBroken } from './countBroken.ts';
import type { FleetReport } from './fleetReport.ts';
import { measureLoad } from './measureLoad.ts';
import { measureStarts } from './measureStarts.ts';
import type { FleetOptions } from './readFleetOptions.ts';
import { type OnFleetProgress, SimulatedFleet } from './simulatedFleet.ts';

/** Simulates a fleet at rest, under load and after the loss of nodes, and measures each. */
export async function runFleet(
  options: FleetOptions,
  onProgress: OnFleetProgress = () => undefined,
): Promise<FleetReport> {
  const { nodes, seed, runs, lastsMs, concurrency, seconds, lost, constants } = options;
  const fleet = new SimulatedFleet(options, onProgress);
  const { model, times, world } = fleet;
  await fleet.runTo('joining', times.idleFromMs);
  const idle = await measureLoad(world, model, () => fleet.runTo('at rest', times.idleUntilMs));
  fleet.putJobs();
  await fleet.runTo('taking up the load', times.loadFromMs);
  const load = await measureLoad(world, model, () => fleet.runTo('under load', times.loadUntilMs));
  const starts = measureStarts(world, options, nodes);
  fleet.lose(lost);
  await fleet.runTo('taking over', times.lossFromMs);
  await fleet.runTo('after the loss', times.untilMs);
  const afterLoss = lost === 0 ? null : measureStarts(world, options, nodes - lost);
  const violations = fleet.judge();
  return {
    ...{ nodes, seed, runsPerSecond: runs, lastsMs, concurrency, seconds, lost },
    ...{ idle, load, starts, afterLoss, violations: violations.length },
    broken: countBroken(violations),
    examples: violations.slice(0, 3).map(({ what }) => what),
    constants,
    ...fleet.usage(),
  };
}
