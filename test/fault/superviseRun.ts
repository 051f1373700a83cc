import { setTimeout as sleep } from 'node:timers/promises';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import type { History, HistoryAbout } from '../checkers/history.ts';
import type { RunMessages } from '../checkers/report/runMessages.ts';
import { makeAttachedWorld } from './attach/makeAttachedWorld.ts';
import { type ChosenKinds, chooseKinds } from './chooseKinds.ts';
import { commandOf } from './commandOf.ts';
import { dealFaults, type FaultSource, type Weather } from './dealFaults.ts';
import { FaultTable } from './faultTable.ts';
import type { FaultOptions } from './readFaultOptions.ts';
import { makeHistory } from './record/makeHistory.ts';
import { readEvidence } from './record/readEvidence.ts';
import { judgeSoFar } from './soFar/judgeSoFar.ts';
import type { SoFar } from './soFar/soFar.ts';
import type { RunState } from './startProgress.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultWorld } from './world/faultWorld.ts';
import { type MachineWatch, watchMachine } from './world/machineWatch.ts';
import { type BuiltWorld, makeFaultWorld } from './world/makeFaultWorld.ts';
import { type Random, seededRandom } from './world/random.ts';

/** A run of the whole system under faults, as far as it was seen. */
export interface SupervisedRun {
  readonly history: History;
  readonly messages: RunMessages;
  /** Kinds that this machine or engine cannot have, with the reason. */
  readonly notRun: ChosenKinds['notRun'];
  /** What could not be done as it should. */
  readonly troubles: readonly string[];
}

/** Who breaks things in a run, and may want to know what the judge says of it meanwhile. */
export interface FaultDriver {
  /** Says which faults come, and when. */
  readonly source: FaultSource;
  /** Is told along the way; absent: it is judged at the end only. */
  readonly judged?: (soFar: SoFar) => void;
}

/** A calm is long enough for the recovery bound and for some time in which all must be in time. */
const weatherOf = (world: FaultWorld): Weather => ({
  gapMs: [500, 1_700],
  stormMs: 24_000,
  calmMs: recoveryMs(world) + 14_000,
});
const operationsAtOnceMax = 3;
const liveMsMax = 180_000;

/**
 * Runs nodes on an engine under faults, heals, waits for the recovery bound and reads every ledger.
 * Whatever becomes of it, nothing that it started outlives it.
 * @param signal ends the faults early; what there is by then is read
 */
export async function superviseRun(
  options: FaultOptions,
  state: RunState,
  signal: AbortSignal,
  driver: FaultDriver = { source: dealFaults },
): Promise<SupervisedRun> {
  state.phase = 'starting';
  const world = await makeWorld(options, state, signal);
  const machine = watchMachine();
  try {
    return await watch({ world, machine, driver }, options, state, signal);
  } finally {
    state.phase = 'ending';
    machine.stop();
    await world.close();
  }
}

function makeWorld(
  options: FaultOptions,
  state: RunState,
  signal: AbortSignal,
): Promise<BuiltWorld> {
  const { attach } = options;
  return attach === undefined
    ? makeFaultWorld(options, state)
    : makeAttachedWorld({ ...options, attach }, state, signal);
}

interface Watched {
  readonly world: BuiltWorld;
  readonly machine: MachineWatch;
  readonly driver: FaultDriver;
}

async function watch(
  { world, machine, driver }: Watched,
  options: FaultOptions,
  state: RunState,
  signal: AbortSignal,
): Promise<SupervisedRun> {
  const random = seededRandom(options.seed);
  const { kinds, notRun } = chooseKinds(options.faults, world);
  const trouble = (text: string) => state.trouble(text);
  const table = new FaultTable(world, { signal, trouble, lasting: state.lasting });
  const startedMs = bootNowMs();
  const untilMs = startedMs + options.minutes * 60_000;
  state.begin(world, startedMs, untilMs, table.healed);
  const aboutUntil = (readMs: number, healedMs = readMs): HistoryAbout => {
    const slowestProcessMs = Math.round(machine.slowestMs());
    return aboutOf(options, world, { startedMs, healedMs, readMs, slowestProcessMs });
  };
  const quietTrouble = (text: string) => state.quietTrouble(text);
  const { judged } = driver;
  const judging = judged && judgeSoFar({ world, table, aboutUntil, judged, quietTrouble });
  const operating = new AbortController();
  const operations = operate(world, random.fork(), operating.signal, state);
  let healedMs: number;
  try {
    await driver.source(table, { kinds, random, untilMs, weather: weatherOf(world), signal });
    state.phase = 'healing';
    await world.healAll();
    healedMs = bootNowMs();
    await untilAllServe(world, state);
    operating.abort();
    await operations;
    state.phase = 'waiting for the recovery bound';
    await sleep(recoveryMs(world)); // nothing is broken now, and everything must have recovered
  } finally {
    operating.abort();
    await Promise.all([operations, judging?.stop()]);
  }
  state.phase = 'reading';
  // What was pressed by hand is dealt by no seed.
  const command = driver.source === dealFaults ? { command: commandOf(options) } : {};
  const about = { ...aboutUntil(bootNowMs(), healedMs), ...command };
  const history = await readHistory(world, about, table);
  return { history, messages: world.messages.all(), notRun, troubles: state.troubles };
}

/** Jobs are edited, paused, removed, run and stopped all along, a few at a time. */
async function operate(
  world: FaultWorld,
  random: Random,
  signal: AbortSignal,
  state: RunState,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    const gap = random.between(...world.operator.gapMs);
    await sleep(gap, undefined, { signal }).catch(() => undefined); // aborted: it is over
    if (signal.aborted || underWay.size >= operationsAtOnceMax) continue;
    const operation = world.operator
      .perform(random.fork())
      // Without a database to look at there is no job to choose.
      .catch(() => state.quietTrouble('an operation found no database to choose a job in'))
      .finally(() => underWay.delete(operation));
    underWay.add(operation);
  }
  await Promise.all(underWay);
}

/** A guardian may take up to half a minute to start a node that died often. */
async function untilAllServe(world: FaultWorld, state: RunState): Promise<void> {
  const began = bootNowMs();
  const isServing = (node: FaultWorld['nodes'][number]) =>
    world.clock.live.get(node.name)?.processId === node.nodePid && node.nodePid !== null;
  while (!world.nodes.every(isServing)) {
    if (bootNowMs() - began > liveMsMax) {
      const missing = world.nodes.filter((node) => !isServing(node)).map(({ name }) => name);
      state.trouble(`not live ${liveMsMax} ms after everything was healed: ${missing.join(', ')}`);
      return;
    }
    await sleep(100);
  }
}

const compensatorPeriodMs = 2_000;
const scanPeriodMs = 1_250;
const reaperPeriodMs = (ttlMs: number): number => Math.min(3_000, ttlMs / 15);
/** How long somebody may have to wait for a lock: until its silent holder is cut off. */
const lockWaitMs = (ttlMs: number): number => 1_000 * boundsOfTtl(ttlMs).silenceSeconds;

/** P11's bound with a second and a half for a scan and a start. */
function recoveryMs({ ttlMs }: Pick<FaultWorld, 'ttlMs'>): number {
  const freedMs = Math.max(ttlMs + reaperPeriodMs(ttlMs), 2 * compensatorPeriodMs);
  return freedMs + lockWaitMs(ttlMs) + scanPeriodMs + 1_500;
}

function aboutOf(
  { seed }: FaultOptions,
  { engine, nodes, ttlMs }: FaultWorld,
  seen: Pick<HistoryAbout, 'startedMs' | 'healedMs' | 'readMs' | 'slowestProcessMs'>,
): HistoryAbout {
  return {
    seed,
    engine: engine.version,
    nodes: nodes.map(({ name }) => name),
    ttlMs,
    compensatorPeriodMs,
    reaperPeriodMs: reaperPeriodMs(ttlMs),
    scanPeriodMs,
    lockWaitMs: lockWaitMs(ttlMs),
    horizonMs: 30_000,
    ...seen,
  };
}

async function readHistory(
  world: BuiltWorld,
  about: HistoryAbout,
  { healed: faults }: FaultTable,
): Promise<History> {
  const evidence = await readEvidence(await world.evidencePlace(), about.readMs);
  // The clock is sampled once more after everything was read.
  await world.clock.sample();
  const { sessionProcesses } = evidence.tables;
  return makeHistory(evidence, {
    about,
    clock: [...world.clock.samples],
    operations: [...world.setUp, ...world.operator.operations],
    faults,
    lives: world.nodes.flatMap((node) =>
      node.readLives((processId) => sessionProcesses.get(processId) ?? []),
    ),
  });
}
