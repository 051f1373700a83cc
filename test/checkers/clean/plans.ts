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
