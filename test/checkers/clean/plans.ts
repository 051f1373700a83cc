import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { type CleanPlan, type PlannedJob, type PlannedOperation, randomOf } from './cleanWorld.ts';

/**
 * One of each: a job that outlasts its ticks, an edit, a pause and what ends it, a removal, a
 * manual run, a dead node with what it ran and what it had prepared, a drained node, an outage
 * with a make-up and the range before it.
 */
export const richPlan: CleanPlan = {
  seed: 1,
  nodes: ['a', 'b', 'c'],
  untilMs: 90_000,
  jobs: [
    { name: 'every-second', schedule: '* * * * * *', runMs: 200, operations: [] },
    { name: 'outlasts', schedule: '*/2 * * * * *', runMs: 2_900, operations: [] },
    {
      name: 'edited',
      schedule: '*/3 * * * * *',
      runMs: 300,
      operations: [
        { kind: 'edit', atMs: 10_700, schedule: '*/4 * * * * *' },
        { kind: 'edit', atMs: 11_800, schedule: '*/5 * * * * *' },
      ],
    },
    {
      name: 'paused',
      schedule: '*/2 * * * * *',
      runMs: 100,
      operations: [
        { kind: 'pause', atMs: 9_200 },
        { kind: 'resume', atMs: 15_900 },
      ],
    },
    {
      name: 'removed',
      schedule: '*/2 * * * * *',
      runMs: 100,
      operations: [{ kind: 'remove', atMs: 12_300 }],
    },
    {
      name: 'asked',
      schedule: '*/10 * * * * *',
      runMs: 400,
      operations: [{ kind: 'run', atMs: 13_000 }],
    },
  ],
  deaths: [{ node: 'a', atMs: 20_300 }],
  drains: [{ node: 'b', atMs: 30_600 }],
  outage: { fromMs: 45_100, untilMs: 52_000 },
  step: null,
};

const retry = {
  max: 2,
  delayMs: 1_500,
  backoff: 'exponential',
  delayMsMax: 10_000,
  jitter: false,
  on: ['failure', 'timeout'],
} satisfies JobPolicies['retry'];

/** A job for each policy, beside a dead node, an outage, and jobs without any. */
export const policyPlan: CleanPlan = {
  ...richPlan,
  drains: [],
  outage: { fromMs: 45_100, untilMs: 59_000 },
  jobs: [
    ...richPlan.jobs.slice(0, 2),
    policyJob('queued', '*/4 * * * * *', 5_900, { overlap: 'queue' }),
    policyJob('queued-all', '*/5 * * * * *', 5_500, { overlap: 'queue-all' }),
    policyJob('replaced', '*/5 * * * * *', 8_000, { overlap: 'replace' }),
    policyJob('terminated', '*/5 * * * * *', 5_400, { overlap: 'terminate' }),
    policyJob('side-by-side', '*/2 * * * * *', 4_500, { parallel: 2 }),
    policyJob('never-made-up', '*/2 * * * * *', 300, { misfire: 'skip' }),
    policyJob('all-made-up', '*/2 * * * * *', 300, { misfire: 'all' }),
    policyJob('made-up-soon', '47 * * * * *', 300, { catchUpMs: 1_000 }),
    policyJob('in-time', '*/2 * * * * *', 300, { startDeadlineMs: 1_200 }),
    policyJob('retried', '*/10 * * * * *', 600, { retry }),
    policyJob('rerun', '*/3 * * * * *', 2_500, { nodeLoss: 'rerun', target: { nodes: ['a'] } }),
    policyJob('splayed', '*/8 * * * * *', 300, { splayMs: 4_000 }),
    policyJob('five-times', '*/3 * * * * *', 300, { runsMax: 5 }),
    policyJob('three-failures', '*/6 * * * * *', 300, { failuresMax: 3 }),
    policyJob('everywhere', '*/5 * * * * *', 400, { kind: 'every-node' }),
    policyJob('on-b', '*/5 * * * * *', 400, { target: { nodes: ['c', 'b'] } }),
  ],
};

function policyJob(
  name: string,
  schedule: string,
  runMs: number,
  policies: JobPolicies,
): PlannedJob {
  return { name, schedule, runMs, operations: [], policies };
}

/** A plan by chance whose jobs have policies by chance; clean whatever the seed. */
export function randomPolicyPlan(seed: number): CleanPlan {
  const random = randomOf(seed);
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least));
  const plan = randomPlan(seed, 2);
  const jobs = Array.from({ length: between(1, 6) }, (_, index) =>
    policyJob(
      `policy-${index + 1}`,
      `*/${between(1, 12)} * * * * *`,
      between(1, 7_000),
      randomPolicies(random, between),
    ),
  );
  // A node that is drained waits for less than the longest of them.
  const drains = jobs.some(({ runMs }) => runMs > 2_800) ? [] : plan.drains;
  return { ...plan, drains, step: null, jobs: [...plan.jobs, ...jobs] };
}

function randomPolicies(
  random: () => number,
  between: (least: number, most: number) => number,
): JobPolicies {
  const may = <T extends object>(share: number, policies: T): T | object =>
    random() < share ? policies : {};
  const overlap = (['queue', 'queue-all', 'replace', 'terminate'] as const)[between(0, 4)];
  // Those of several slots are lived one after the other, and their limits are of all of them.
  const isParallel = random() < 0.3;
  const isLimited = !isParallel && random() < 0.4;
  const backoff = random() < 0.5 ? 'fixed' : 'exponential';
  const on: ('failure' | 'node-loss')[] = random() < 0.5 ? ['failure'] : ['failure', 'node-loss'];
  const delayMs = between(0, 3_000);
  return {
    ...may(1, isParallel ? { parallel: between(2, 4) } : {}),
    ...may(isParallel ? 0 : 0.5, { overlap }),
    ...may(0.4, random() < 0.5 ? { misfire: 'skip' } : { misfire: 'all' }),
    ...may(0.2, { startDeadlineMs: between(5_000, 20_000) }),
    ...may(0.2, { splayMs: between(1, 4_000) }),
    ...may(0.3, { nodeLoss: 'rerun' }),
    ...may(0.4, {
      retry: {
        max: between(1, 4),
        delayMs,
        backoff,
        delayMsMax: 9_000,
        jitter: random() < 0.5,
        on,
      },
    }),
    ...may(isLimited ? 0.6 : 0, { runsMax: between(1, 9) }),
    ...may(isLimited ? 0.6 : 0, { failuresMax: between(1, 4) }),
    ...may(isParallel || isLimited ? 0 : 0.3, { kind: 'every-node' }),
  };
}

/** A plan by chance; clean whatever the seed. */
export function randomPlan(seed: number, jobsMax = 8): CleanPlan {
  const random = randomOf(seed);
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least));
  const jobs = Array.from({ length: between(1, jobsMax + 1) }, (_, index): PlannedJob => {
    const every = between(1, 12);
    return {
      name: `job-${index + 1}`,
      schedule: `*/${every} * * * * *`,
      runMs: between(1, 2_800),
      operations: randomOperations(between),
    };
  });
  const isOut = random() < 0.4;
  return {
    seed,
    nodes: ['a', 'b', 'c'],
    untilMs: 75_000,
    jobs,
    // Operations keep clear of these, since what becomes of them there is not planned.
    deaths: random() < 0.6 ? [{ node: 'a', atMs: between(20_000, 24_000) }] : [],
    drains: random() < 0.6 ? [{ node: 'b', atMs: between(21_000, 33_000) }] : [],
    outage: isOut ? { fromMs: 36_000, untilMs: between(37_000, 44_000) } : null,
    step: !isOut && random() < 0.3 ? { atMs: 47_250, byMs: between(-5_000, 20_000) } : null,
  };
}

function randomOperations(between: (least: number, most: number) => number): PlannedOperation[] {
  const operations: PlannedOperation[] = [];
  for (let atMs = between(2_000, 9_000); atMs < 17_000; atMs += between(3_000, 9_000)) {
    // Off the ticks: idle or executing at one, prepared at the other.
    const askedMs = Math.floor(atMs / 1_000) * 1_000 + (between(0, 2) === 0 ? 250 : 750);
    const last = operations.at(-1)?.kind;
    const kinds = last === 'pause' ? (['resume'] as const) : (['edit', 'pause', 'run'] as const);
    const kind = kinds[between(0, kinds.length)] ?? 'edit';
    const schedule = `*/${between(1, 12)} * * * * *`;
    operations.push(kind === 'edit' ? { kind, atMs: askedMs, schedule } : { kind, atMs: askedMs });
  }
  if (between(0, 5) === 0) operations.push({ kind: 'remove', atMs: 18_250 });
  return operations;
}
