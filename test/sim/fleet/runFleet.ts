import { judge } from '../../checkers/judge.ts';
import { ChartCoverage } from '../chartCoverage.ts';
import { ChildProcesses } from '../childProcesses.ts';
import { RandomSource } from '../randomSource.ts';
import { SimulatedHost } from '../simulatedHost.ts';
import { SimulatedTimeline } from '../simulatedTimeline.ts';
import { MemoryServer } from '../store/memoryServer.ts';
import { takeHistory } from '../takeHistory.ts';
import type { World } from '../world.ts';
import { DatabaseModel } from './databaseModel.ts';
import type { FleetReport } from './fleetReport.ts';
import { measureLoad } from './measureLoad.ts';
import { measureStarts } from './measureStarts.ts';
import { planFleet, planTimes, putJobs } from './planFleet.ts';
import type { FleetOptions } from './readFleetOptions.ts';

/** The hosts have been up for a while when the world begins. */
const bootMs = 1_000_000;
const progressMs = 1_000;
const never = Number.MAX_SAFE_INTEGER;

/** Told now and then, and at the begin of each part. */
export type OnFleetProgress = (soFar: { readonly part: string; readonly share: number }) => void;

/** Simulates a fleet at rest and under load, and measures both. */
export async function runFleet(
  options: FleetOptions,
  onProgress: OnFleetProgress = () => undefined,
): Promise<FleetReport> {
  const began = performance.now();
  const scenario = planFleet(options);
  const times = planTimes(options);
  const timeline = new SimulatedTimeline(bootMs);
  const random = new RandomSource(String(scenario.seed));
  const model = new DatabaseModel(timeline, options.constants);
  const world: World = {
    scenario,
    plans: new Map(scenario.jobs.map((job) => [job.name, job])),
    timeline,
    random,
    server: new MemoryServer(timeline, scenario.epochMs, model),
    children: new ChildProcesses(timeline),
    coverage: new ChartCoverage(false),
    brokenNodes: new Set(),
  };
  const { server } = world;
  // A pass over the history is one node's work, and not what this is about: none comes due.
  Object.assign(server.tables.cleaning, { dueMs: never, untilMs: never, sessionId: 'nobody' });
  const clock = [{ atMs: bootMs, databaseMs: server.exactNowMs() }];
  const hosts = scenario.nodes.map((node) => new SimulatedHost(world, node));
  for (const host of hosts) {
    timeline.after(random.between(0, times.joinedMs), () => host.start());
  }
  const runTo = async (part: string, untilMs: number): Promise<void> => {
    for (let atMs = timeline.nowMs(); atMs < bootMs + untilMs; ) {
      atMs = Math.min(atMs + progressMs, bootMs + untilMs);
      await timeline.runUntil(atMs);
      onProgress({ part, share: (atMs - bootMs) / times.loadUntilMs });
    }
  };
  await runTo('joining', times.idleFromMs);
  const idle = await measureLoad(world, model, () => runTo('at rest', times.idleUntilMs));
  const now = { nowMs: server.databaseNowMs(), bootMs: timeline.nowMs() };
  const operations = putJobs(server, now, scenario.jobs);
  await runTo('taking up the load', times.loadFromMs);
  const load = await measureLoad(world, model, () => runTo('under load', times.loadUntilMs));
  const starts = measureStarts(world, times, options.runs);
  onProgress({ part: 'judging', share: 1 });
  clock.push({ atMs: timeline.nowMs(), databaseMs: server.exactNowMs() });
  const parts = { world, hosts, clock, operations, faults: [], startMs: bootMs };
  const violations = judge(takeHistory(parts));
  const broken: Record<string, number> = {};
  for (const { promise, rule } of violations) {
    const key = `${promise} ${rule}`;
    broken[key] = (broken[key] ?? 0) + 1;
  }
  const examples = violations.slice(0, 3).map(({ what }) => what);
  const { nodes, seed, runs, lastsMs, concurrency, seconds, constants } = options;
  return {
    ...{ nodes, seed, runsPerSecond: runs, lastsMs, concurrency, seconds },
    ...{ idle, load, starts, violations: violations.length, broken, examples, constants },
    lives: hosts.reduce((sum, host) => sum + host.lives.length, 0),
    events: timeline.events,
    tookSeconds: (performance.now() - began) / 1_000,
    processorSeconds: process.cpuUsage().user / 1e6,
    memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}
