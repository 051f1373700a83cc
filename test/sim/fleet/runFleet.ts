import type { FaultRecord } from '../../checkers/history.ts';
import { judge } from '../../checkers/judge.ts';
import type { Violation } from '../../checkers/violation.ts';
import { ChartCoverage } from '../chartCoverage.ts';
import { ChildProcesses } from '../childProcesses.ts';
import { RandomSource } from '../randomSource.ts';
import { SimulatedHost } from '../simulatedHost.ts';
import { SimulatedTimeline } from '../simulatedTimeline.ts';
import { MemoryServer } from '../store/memoryServer.ts';
import { takeHistory } from '../takeHistory.ts';
import type { Timeline } from '../timeline.ts';
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

/** Simulates a fleet at rest, under load and after the loss of nodes, and measures each. */
export async function runFleet(
  options: FleetOptions,
  onProgress: OnFleetProgress = () => undefined,
): Promise<FleetReport> {
  const began = performance.now();
  const times = planTimes(options);
  const timeline = new SimulatedTimeline(bootMs);
  const model = new DatabaseModel(timeline, options.constants);
  const world = openWorld(options, timeline, model);
  const { random, scenario, server } = world;
  const clock = [{ atMs: bootMs, databaseMs: server.exactNowMs() }];
  const hosts = scenario.nodes.map((node) => new SimulatedHost(world, node));
  for (const host of hosts) {
    timeline.after(random.between(0, times.joinedMs), () => host.start());
  }
  const runTo = async (part: string, untilMs: number): Promise<void> => {
    for (let atMs = timeline.nowMs(); atMs < bootMs + untilMs; ) {
      atMs = Math.min(atMs + progressMs, bootMs + untilMs);
      await timeline.runUntil(atMs);
      onProgress({ part, share: (atMs - bootMs) / times.untilMs });
    }
  };
  await runTo('joining', times.idleFromMs);
  const idle = await measureLoad(world, model, () => runTo('at rest', times.idleUntilMs));
  const now = { nowMs: server.databaseNowMs(), bootMs: timeline.nowMs() };
  const operations = putJobs(server, now, scenario.jobs);
  await runTo('taking up the load', times.loadFromMs);
  const load = await measureLoad(world, model, () => runTo('under load', times.loadUntilMs));
  const starts = measureStarts(world, options, options.nodes);
  const faults = loseHosts(hosts.slice(0, options.lost), timeline.nowMs());
  await runTo('taking over', times.lossFromMs);
  await runTo('after the loss', times.untilMs);
  const afterLoss =
    faults.length === 0 ? null : measureStarts(world, options, options.nodes - faults.length);
  onProgress({ part: 'judging', share: 1 });
  clock.push({ atMs: timeline.nowMs(), databaseMs: server.exactNowMs() });
  const violations = judge(
    takeHistory({ world, hosts, clock, operations, faults, startMs: bootMs }),
  );
  const { nodes, seed, runs, lastsMs, concurrency, seconds, lost, constants } = options;
  return {
    ...{ nodes, seed, runsPerSecond: runs, lastsMs, concurrency, seconds, lost },
    ...{ idle, load, starts, afterLoss, violations: violations.length },
    broken: countBroken(violations),
    examples: violations.slice(0, 3).map(({ what }) => what),
    constants,
    lives: hosts.reduce((sum, host) => sum + host.lives.length, 0),
    events: timeline.events,
    tookSeconds: (performance.now() - began) / 1_000,
    processorSeconds: process.cpuUsage().user / 1e6,
    memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

function openWorld(options: FleetOptions, timeline: Timeline, model: DatabaseModel): World {
  const scenario = planFleet(options);
  const server = new MemoryServer(timeline, scenario.epochMs, model);
  // A pass over the history is one node's work, and not what this is about: none comes due.
  Object.assign(server.tables.cleaning, { dueMs: never, untilMs: never, sessionId: 'nobody' });
  return {
    scenario,
    plans: new Map(scenario.jobs.map((job) => [job.name, job])),
    timeline,
    random: new RandomSource(String(scenario.seed)),
    server,
    children: new ChildProcesses(timeline),
    coverage: new ChartCoverage(false),
    brokenNodes: new Set(),
  };
}

/** In one moment; which nodes these are makes no difference. */
function loseHosts(hosts: readonly SimulatedHost[], atMs: number): FaultRecord[] {
  return hosts.map((host) => {
    host.lose();
    const span = { fromMs: atMs, untilMs: atMs };
    return { kind: 'node lost', target: host.node, ...span, stops: 'node', detail: '' };
  });
}

function countBroken(violations: readonly Violation[]): Record<string, number> {
  const broken: Record<string, number> = {};
  for (const { promise, rule } of violations) {
    const key = `${promise} ${rule}`;
    broken[key] = (broken[key] ?? 0) + 1;
  }
  return broken;
}
