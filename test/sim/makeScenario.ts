import { sessionLockId } from '../../src/domain/run/stripes.ts';
import { planPolicies } from './planPolicies.ts';
import { RandomSource } from './randomSource.ts';
import {
  type FaultKind,
  faultKinds,
  type PlannedFault,
  type PlannedJob,
  type PlannedOperation,
  type Scenario,
} from './scenario.ts';

/** Every so many worlds there is one of fifty nodes. */
const largeEvery = 1_000;
const largeNodes = 50;

const schedules = [
  '* * * * * *',
  '* * * * * *',
  '* * * * * *',
  '*/2 * * * * *',
  '*/2 * * * * *',
  '1/3 * * * * *',
  '@every 3s',
  '*/5 * * * * *',
  '*/10 * * * * *',
  '* * * * *',
  '*/2 * * * *',
] as const;

/** The world that a seed stands for. `nodes`: how many, when the seed is not to say. */
export function makeScenario(seed: number, nodes: number | null = null): Scenario {
  const random = new RandomSource(`scenario ${seed}`);
  const isLarge = seed % largeEvery === 0;
  const count = nodes ?? (isLarge ? largeNodes : random.pick([2, 2, 2, 2, 3, 3, 4]));
  const names = Array.from({ length: count }, (_, place) => `node-${place + 1}`);
  const epochMs = pickEpoch(random);
  const activeMs = count > 20 ? 12_000 : random.integer(6_000, 10_000);
  const isCrowded = random.chance(0.2);
  const jobsCount = count > 20 ? 40 : random.integer(20, 30);
  const jobs = planJobs(random, jobsCount, isCrowded, names);
  const longWait = random.chance(0.1);
  return {
    seed,
    epochMs,
    nodes: names,
    ttlMs: longWait ? 10_000 : 5_000,
    concurrency: isCrowded ? 2 : jobs.length,
    capacity: random.pick([jobs.length, 2_000]),
    horizonMs: random.pick([5_000, 30_000]),
    drainTimeoutMs: random.pick([500, 3_000]),
    latencyMs: pickLatency(random, count, jobs),
    activeMs,
    jobs,
    faults: [
      ...planFaults(random, names, activeMs, epochMs),
      ...(isCrowded && random.chance(0.3) ? planDrainWhileHeld(random, names, activeMs) : []),
    ],
    operations: planOperations(random, jobs, activeMs),
    mutation: null,
  };
}

/** Any instant of a year, or one shortly before Berlin's clocks change. */
function pickEpoch(random: RandomSource): number {
  const autumn = Date.UTC(2026, 9, 25, 0, 59, 30);
  const spring = Date.UTC(2026, 2, 29, 0, 59, 30);
  const any = Date.UTC(2026, 0, 1) + random.integer(0, 365 * 86_400) * 1_000;
  return random.pick([autumn, spring, any, any, any, any]) + random.integer(0, 999);
}

const policyShare = 0.4;

/** Where few may run at once all of them are short, or they would be late by themselves. */
function planJobs(
  random: RandomSource,
  count: number,
  isCrowded: boolean,
  nodes: readonly string[],
): PlannedJob[] {
  return Array.from({ length: count }, (_, place): PlannedJob => {
    const isLong = !isCrowded && random.chance(0.15);
    return {
      name: `job-${place + 1}`,
      schedule: random.pick(schedules),
      timezone: random.pick(['UTC', 'UTC', 'Europe/Berlin']),
      lastsMs: isLong
        ? [1_500, random.integer(2_000, 9_000)]
        : [5, isCrowded ? 120 : random.integer(50, 900)],
      timeoutMs: random.chance(0.1) ? random.integer(100, 2_000) : null,
      ...(random.chance(policyShare) ? { policies: planPolicies(random, nodes) } : {}),
    };
  });
}

/** How often each kind is drawn, and how long it lasts at most, milliseconds. */
const weights: Readonly<Record<FaultKind, readonly [number, number]>> = {
  partition: [6, 9_000],
  'reply lost': [8, 6_000],
  'request lost': [5, 6_000],
  'commit delayed': [8, 6_000],
  'commit conflicts': [2, 5_000],
  'statement refused': [2, 5_000],
  'node killed': [6, 0],
  'node frozen': [6, 9_000],
  'node drained': [6, 4_000],
  'guardian killed': [3, 0],
  'database stopped': [2, 6_000],
  'database crashed': [2, 8_000],
  'clock stepped': [2, 0],
  'stripes held': [3, 6_000],
  'session lock held': [1, 6_000],
  'lock row missing': [0.8, 3_000],
  'broken invariant': [0.5, 500],
};

const drawn = faultKinds.flatMap((kind) =>
  Array.from({ length: Math.round(weights[kind][0] * 5) }, () => kind),
);

function planFaults(
  random: RandomSource,
  nodes: readonly string[],
  activeMs: number,
  epochMs: number,
): PlannedFault[] {
  // One world in twenty is left in peace: then nothing at all may be late.
  const count = random.chance(0.05) ? 0 : random.integer(2, 5 + Math.floor(nodes.length / 5));
  return Array.from({ length: count }, (): PlannedFault => {
    const kind = random.pick(drawn);
    const anyMs = random.integer(1_500, activeMs - 1_000);
    const isAtTick = kind === 'guardian killed' && random.chance(0.5);
    const fromMs = isAtTick ? justAfterTick(random, anyMs, epochMs) : anyMs;
    const lastsMs = random.integer(0, weights[kind][1]);
    const untilMs = Math.min(activeMs, fromMs + lastsMs);
    return {
      kind,
      target: targetOf(random, kind, nodes),
      fromMs,
      untilMs,
      size: sizeOf(random, kind),
    };
  });
}

/**
 * One way, least and most. All slots of a job share one lock: where each of some nodes takes it for
 * the same tick, a slow wire under every statement would make them late by itself.
 */
function pickLatency(
  random: RandomSource,
  nodes: number,
  jobs: readonly PlannedJob[],
): readonly [number, number] {
  const middle = [0.2, 4] as const;
  const slow = [1, 25] as const;
  const picked = random.pick([[0.05, 0.4] as const, middle, slow]);
  const isShared = nodes > 2 && jobs.some(({ policies }) => policies?.kind === 'every-node');
  return picked === slow && isShared ? middle : picked;
}

/** Between a start and its spawn: there a node that ends has to hold its children back. */
function justAfterTick(random: RandomSource, aboutMs: number, epochMs: number): number {
  const intoSecondMs = (epochMs + aboutMs) % 1_000;
  return aboutMs - intoSecondMs + random.integer(1, 20);
}

/** Starts give way to one another while their stripes are held, and then their node leaves. */
function planDrainWhileHeld(random: RandomSource, nodes: readonly string[], activeMs: number) {
  const fromMs = random.integer(1_500, activeMs - 3_000);
  const untilMs = Math.min(activeMs, fromMs + 4_000);
  const drainMs = random.integer(fromMs + 500, fromMs + 2_000);
  const node = random.pick(nodes);
  return [
    { kind: 'stripes held', target: 'database', fromMs, untilMs, size: 1 },
    { kind: 'node drained', target: node, fromMs: drainMs, untilMs, size: 0 },
  ] satisfies PlannedFault[];
}

function targetOf(random: RandomSource, kind: FaultKind, nodes: readonly string[]): string {
  if (databaseKinds.has(kind)) return 'database';
  const mayHitOperator = kind === 'reply lost' || kind === 'request lost' || kind === 'partition';
  return mayHitOperator && random.chance(0.2) ? 'operator' : random.pick(nodes);
}

const databaseKinds: ReadonlySet<FaultKind> = new Set([
  'database stopped',
  'database crashed',
  'clock stepped',
  'stripes held',
  'session lock held',
  'lock row missing',
]);

function sizeOf(random: RandomSource, kind: FaultKind): number {
  switch (kind) {
    case 'reply lost':
    case 'request lost':
    case 'commit delayed':
    case 'commit conflicts':
    case 'statement refused':
      return random.pick([0.1, 0.3, 0.6]);
    case 'clock stepped':
      return random.pick([-3_600_000, -4_000, -300, 300, 4_000, 3_600_000]);
    case 'stripes held':
      return random.pick([1, 1, 2, 5]);
    case 'lock row missing':
      return random.pick([sessionLockId, random.integer(0, 20)]);
    default:
      return 0;
  }
}

function planOperations(random: RandomSource, jobs: readonly PlannedJob[], activeMs: number) {
  const kinds = ['edit', 'edit', 'pause', 'resume', 'remove', 'run', 'run', 'stop', 'add'] as const;
  return Array.from({ length: random.integer(0, 12) }, (): PlannedOperation => {
    const kind = random.pick(kinds);
    const atMs = random.integer(1_000, activeMs - 500);
    return { kind, job: random.pick(jobs).name, atMs, schedule: random.pick(schedules) };
  });
}
