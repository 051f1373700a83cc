import { setTimeout as sleep } from 'node:timers/promises';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import type { FaultRecord, History } from '../checkers/history.ts';
import { makeHistory } from '../fault/record/makeHistory.ts';
import { readEvidence } from '../fault/record/readEvidence.ts';
import { bootNowMs } from '../fault/world/bootNow.ts';
import { type Random, seededRandom } from '../fault/world/random.ts';
import type { MixedNode, Version } from './mixedNode.ts';
import { must, ttlMs, type UpgradeWorld } from './upgradeWorld.ts';

export interface RolledUpgrade {
  readonly history: History;
  /** Children that nodes of each version have started. */
  readonly started: Readonly<Record<Version, number>>;
  /** What was done to the nodes, in order. */
  readonly steps: readonly string[];
}

export interface RollOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** What is done to a node between two looks at the others. */
const deeds = ['change', 'kill node', 'kill guardian', 'drain'] as const;
const gapMs = [800, 2_000] as const;
const backMsMax = 240_000;
const loadMs = 2_000;

/**
 * Rolls a cluster over from the old version to the new one under load, back and forth: the new
 * version migrates while the old one runs; nodes of both are killed, drained and started again,
 * each as either; jobs are changed by both command lines. At the end all nodes are new.
 */
export async function rollUpgrade(
  world: UpgradeWorld,
  { seed, seconds, say }: RollOptions,
): Promise<RolledUpgrade> {
  const random = seededRandom(seed);
  const faults: FaultRecord[] = [];
  const emptyMs = world.setUp[0]?.invokedMs ?? bootNowMs();
  const steps: string[] = [];
  const sessions: Record<Version, Set<string>> = { old: new Set(), new: new Set() };
  const note = (line: string) => {
    steps.push(line);
    say(line);
  };
  const noteSessions = () => {
    for (const { name, version } of world.nodes) {
      const live = world.clock.live.get(name);
      if (live !== undefined) sessions[version].add(live.sessionId);
    }
  };
  const [first, second, third] = world.nodes as [MixedNode, MixedNode, MixedNode];
  await Promise.all([first.start(), second.start()]);
  for (const node of [first, second]) await serves(world, node, null);
  const startedMs = bootNowMs();
  faults.push(noNodeYet(emptyMs, startedMs));
  const operating = new AbortController();
  const operations = operate(world, random.fork(), operating.signal);
  await sleep(loadMs); // a load that the old version bears alone
  note('the new version migrates while the old one runs');
  await must(world.cli.new, ['migrate']);
  await third.start();
  await serves(world, third, null);
  noteSessions();
  await deal(world, random, { untilMs: startedMs + seconds * 1_000, faults, note, noteSessions });
  const healedMs = bootNowMs();
  operating.abort();
  await operations;
  await sleep(recoveryMs); // nothing is broken now, and everything must have recovered
  noteSessions();
  const history = await readHistory(world, { seed, startedMs, healedMs }, faults);
  const startedBy = (version: Version) =>
    history.processes.filter(({ sessionId }) => sessions[version].has(sessionId)).length;
  return { history, started: { old: startedBy('old'), new: startedBy('new') }, steps };
}

/** The jobs are there before anybody who could run them. */
function noNodeYet(fromMs: number, untilMs: number): FaultRecord {
  const kind = 'no node yet';
  return { kind, target: 'nodes', fromMs, untilMs, stops: 'everything', detail: '' };
}

interface Dealing {
  readonly untilMs: number;
  readonly faults: FaultRecord[];
  readonly note: (line: string) => void;
  readonly noteSessions: () => void;
}

/** One node after the other: each deed at least once, then by lot; then whoever is old changes. */
async function deal(world: UpgradeWorld, random: Random, dealing: Dealing): Promise<void> {
  const { faults, note, noteSessions, untilMs } = dealing;
  const waiting: (typeof deeds)[number][] = [...deeds, 'change'];
  for (let turn = 0; bootNowMs() < untilMs || waiting.length > 0; turn += 1) {
    await sleep(random.between(...gapMs)); // a time in which all of them serve
    noteSessions();
    const node = world.nodes[turn % world.nodes.length] as MixedNode;
    const deed = waiting.shift() ?? random.pick(deeds);
    note(`${node.name} (${node.version}): ${deed}`);
    faults.push(await does(world, node, deed));
    noteSessions();
  }
  for (const node of world.nodes) {
    if (node.version === 'new') continue;
    note(`${node.name} (${node.version}): change, for good`);
    faults.push(await does(world, node, 'change'));
  }
}

async function does(
  world: UpgradeWorld,
  node: MixedNode,
  deed: (typeof deeds)[number],
): Promise<FaultRecord> {
  const fromMs = bootNowMs();
  const before = world.clock.live.get(node.name)?.sessionId ?? null;
  const pid = node.running.nodePid;
  if (deed === 'change') await node.change();
  else if (deed === 'drain') node.running.signal('guardian', 'SIGTERM', 'drained');
  else node.running.signal(deed === 'kill node' ? 'node' : 'guardian', 'SIGKILL', 'killed');
  await node.comesBack(pid, backMsMax);
  await serves(world, node, before);
  const untilMs = bootNowMs();
  const detail = `now ${node.version}`;
  return { kind: deed, target: node.name, fromMs, untilMs, stops: 'node', detail };
}

/** Waits until a session of the node is live that is not the one before, and its process's own. */
async function serves(world: UpgradeWorld, node: MixedNode, before: string | null): Promise<void> {
  const began = performance.now();
  for (;;) {
    const live = world.clock.live.get(node.name);
    const isNext = live !== undefined && live.sessionId !== before;
    if (isNext && live.processId === node.running.nodePid) return;
    if (performance.now() - began > backMsMax) {
      const said = node.running.said.map(({ text }) => text).join('\n');
      throw new Error(`${node.name} (${node.version}) does not serve:\n${said}`);
    }
    await sleep(50);
  }
}

async function operate(world: UpgradeWorld, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await world.operator.perform(random);
    const gap = random.between(...gapMs);
    await sleep(gap, undefined, { signal }).catch(() => undefined); // aborted: it is over
  }
}

const compensatorPeriodMs = 2_000;
const reaperPeriodMs = ttlMs / 15;
const scanPeriodMs = 1_250;
const lockWaitMs = 1_000 * boundsOfTtl(ttlMs).silenceSeconds;
/** P11's bound, with time for a scan and a start. */
const recoveryMs = ttlMs + reaperPeriodMs + lockWaitMs + scanPeriodMs + 1_500;

async function readHistory(
  world: UpgradeWorld,
  about: { seed: number; startedMs: number; healedMs: number },
  faults: readonly FaultRecord[],
): Promise<History> {
  const readMs = bootNowMs();
  const place = { url: world.url, byTime: false, ledgerFolder: world.ledgerFolder };
  const evidence = await readEvidence(place, readMs);
  await world.clock.sample();
  const { sessionProcesses } = evidence.tables;
  return makeHistory(evidence, {
    about: {
      ...about,
      engine: 'mariadb',
      nodes: world.nodes.map(({ name }) => name),
      ttlMs,
      compensatorPeriodMs,
      reaperPeriodMs,
      scanPeriodMs,
      lockWaitMs,
      horizonMs: 30_000,
      readMs,
    },
    clock: [...world.clock.samples],
    operations: [...world.setUp, ...world.operator.operations],
    faults,
    lives: world.nodes.flatMap((node) => node.lives((pid) => sessionProcesses.get(pid) ?? [])),
  });
}
