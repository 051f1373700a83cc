import type { ClockSample, FaultRecord, History } from '../checkers/history.ts';
import { ChartCoverage } from './chartCoverage.ts';
import { ChildProcesses } from './childProcesses.ts';
import { injectFault, stopsOf } from './injectFault.ts';
import { NodeWire } from './nodeWire.ts';
import { Operator } from './operator.ts';
import { RandomSource } from './randomSource.ts';
import type { PlannedFault, Scenario } from './scenario.ts';
import { SimulatedHost } from './simulatedHost.ts';
import { SimulatedTimeline } from './simulatedTimeline.ts';
import { MemoryServer } from './store/memoryServer.ts';
import { settleMs, takeHistory } from './takeHistory.ts';
import type { World } from './world.ts';

/** What came of one simulated world. */
export interface ScenarioRun {
  readonly history: History;
  /** Arrows committed on slot rows, by `arrowKey`. */
  readonly arrows: ReadonlyMap<string, number>;
  readonly coverage: ChartCoverage;
  readonly faults: readonly FaultRecord[];
  readonly events: number;
}

/** Looks at a world while it goes on, as somebody does who cannot wait for its end. */
export interface Look {
  readonly everyMs: number;
  /** Is handed what is known by then: what lasts has no end yet. */
  seen(history: History): void;
}

/** The hosts have been up for a while when the world begins. */
const startMs = 1_000_000;

/**
 * Runs a world to its end, on virtual time: faults, heal, the time that recovery may take.
 * `isWatched`: its charts are watched, which costs a twelfth of the time.
 */
export async function runScenario(
  scenario: Scenario,
  isWatched = true,
  look: Look | null = null,
): Promise<ScenarioRun> {
  const timeline = new SimulatedTimeline(startMs);
  const random = new RandomSource(String(scenario.seed));
  const world: World = {
    scenario,
    plans: new Map(scenario.jobs.map((job) => [job.name, job])),
    timeline,
    random,
    server: new MemoryServer(timeline, scenario.epochMs),
    children: new ChildProcesses(timeline),
    coverage: new ChartCoverage(isWatched),
    brokenNodes: new Set(),
  };
  const hosts = new Map(scenario.nodes.map((node) => [node, new SimulatedHost(world, node)]));
  const operatorWire = new NodeWire(random.fork('operator wire'), scenario.latencyMs);
  const operator = new Operator(world, operatorWire);
  const clock: ClockSample[] = [];
  const noteClock = (): void => {
    clock.push({ atMs: timeline.nowMs(), databaseMs: world.server.exactNowMs() });
  };
  noteClock();
  for (const job of scenario.jobs) operator.add(job);
  for (const host of hosts.values()) timeline.after(random.between(0, 500), () => host.start());
  for (const planned of scenario.operations) {
    if (planned.atMs >= scenario.activeMs) continue;
    timeline.after(planned.atMs, () => operator.perform(planned));
  }
  const faults = planFaults({ world, hosts, operatorWire, noteClock }, scenario.faults);
  const take = (): History => {
    noteClock();
    return takeHistory({
      world,
      hosts: [...hosts.values()],
      clock,
      operations: operator.operations,
      faults: faults.soFar(),
      startMs,
    });
  };
  const runUntil = async (untilMs: number): Promise<void> => {
    while (look !== null && timeline.nowMs() + look.everyMs < untilMs) {
      await timeline.runUntil(timeline.nowMs() + look.everyMs);
      look.seen(take());
    }
    await timeline.runUntil(untilMs);
  };
  await runUntil(startMs + scenario.activeMs);
  faults.healAll();
  await runUntil(startMs + scenario.activeMs + settleMs(scenario));
  const history = take();
  const { events } = timeline;
  const { arrows } = world.server;
  return { history, arrows, coverage: world.coverage, faults: history.faults, events };
}

interface FaultLog {
  /** Each with its end; those that last have none yet. */
  soFar(): FaultRecord[];
  healAll(): void;
}

/**
 * Puts every fault and its end on the timeline; what has not ended when all is healed ends then.
 */
function planFaults(
  targets: Parameters<typeof injectFault>[0],
  planned: readonly PlannedFault[],
): FaultLog {
  const { timeline } = targets.world;
  const records: FaultRecord[] = [];
  /** How those that last end, by their place among the records. */
  const open = new Map<number, () => void>();
  for (const fault of planned) {
    if (fault.fromMs >= targets.world.scenario.activeMs) continue;
    timeline.after(fault.fromMs, () => {
      const fromMs = timeline.nowMs();
      const heal = injectFault(targets, fault);
      const { kind, target } = fault;
      const detail = fault.size === 0 ? '' : String(fault.size);
      const place = records.length;
      const record = { kind, target, fromMs, untilMs: fromMs, stops: stopsOf(fault), detail };
      records.push(record);
      const end = (): void => {
        if (!open.delete(place)) return;
        heal();
        records[place] = { ...record, untilMs: timeline.nowMs() };
      };
      open.set(place, end);
      timeline.after(fault.untilMs - fault.fromMs, end);
    });
  }
  return {
    soFar: () =>
      records.map((record, place) =>
        open.has(place) ? { ...record, untilMs: timeline.nowMs() } : record,
      ),
    healAll: () => {
      for (const end of [...open.values()]) end();
    },
  };
}
