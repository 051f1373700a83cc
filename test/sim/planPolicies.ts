import type { JobPolicies, RetryPolicy, Target } from '../../src/domain/job/jobPolicies.ts';
import type { RandomSource } from './randomSource.ts';

/** One policy of a job, or a few that go together; never one that checks refuse. */
export function planPolicies(random: RandomSource, nodes: readonly string[]): JobPolicies {
  const isParallel = random.chance(0.2);
  const slots: JobPolicies = isParallel
    ? { parallel: random.integer(2, 4), ...(random.chance(0.3) ? everyNode : {}) }
    : random.chance(0.6)
      ? { overlap: random.pick(['queue', 'queue-all', 'replace', 'terminate'] as const) }
      : random.chance(0.3)
        ? everyNode
        : {};
  const splayMs = random.integer(1, 3_000);
  const choices: readonly [number, () => JobPolicies][] = [
    [0.3, () => ({ misfire: random.pick(['skip', 'all'] as const) })],
    [0.15, () => ({ startDeadlineMs: random.pick([4_000, 10_000, 30_000]) })],
    [0.15, () => ({ splayMs })],
    [0.3, () => ({ nodeLoss: 'rerun' })],
    [0.4, () => ({ retry: planRetry(random) })],
    [0.1, () => ({ runsMax: random.integer(1, 12) })],
    [0.1, () => ({ failuresMax: random.integer(1, 3) })],
    [0.15, () => ({ target: planTarget(random, nodes) })],
  ];
  const chosen = choices.flatMap(([share, choose]) => (random.chance(share) ? [choose()] : []));
  return Object.assign({}, slots, ...chosen) as JobPolicies;
}

const everyNode = { kind: 'every-node' } as const;

function planRetry(random: RandomSource): RetryPolicy {
  const all = ['failure', 'timeout', 'node-loss'] as const;
  const on = all.filter(() => random.chance(0.6));
  return {
    max: random.integer(1, 4),
    delayMs: random.integer(0, 2_500),
    backoff: random.pick(['fixed', 'exponential'] as const),
    delayMsMax: 6_000,
    jitter: random.chance(0.5),
    on: on.length === 0 ? ['failure'] : on,
  };
}

function planTarget(random: RandomSource, nodes: readonly string[]): Target {
  const node = random.pick(nodes);
  return random.chance(0.5) ? { nodes: [node] } : { excludeNodes: [node] };
}
