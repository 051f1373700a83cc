import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkTogether } from '../../../src/domain/job/checkTogether.ts';
import type { JobPolicies, RetryPolicy } from '../../../src/domain/job/jobPolicies.ts';
import { PolicyWorld } from './policyWorld.ts';

const retry: RetryPolicy = {
  max: 2,
  delayMs: 3_000,
  backoff: 'fixed',
  delayMsMax: 3_000,
  jitter: false,
  on: ['failure', 'node-loss'],
};

/** Every combination of the words, with windows and deadlines of less than a minute. */
const anyPolicies = fc
  .record(
    {
      overlap: fc.constantFrom('queue', 'queue-all', 'replace', 'terminate'),
      misfire: fc.constantFrom('skip', 'all'),
      catchUpMs: fc.constantFrom(5_000, 20_000, 40_000),
      startDeadlineMs: fc.constantFrom(1_500, 12_000, 30_000),
      parallel: fc.integer({ min: 2, max: 4 }),
      splayMs: fc.constantFrom(800, 1_400),
      nodeLoss: fc.constant('rerun'),
      observed: fc.constant(true),
      retry: fc.constant(retry),
    },
    { requiredKeys: [] },
  )
  .filter((policies) => checkTogether(policies as JobPolicies, 'node').length === 0);

type Step = (world: PolicyWorld) => void;

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 50, max: 4_000 }).map((ms): Step => pass(ms)) },
  // Nobody is there for a while.
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 90_000 }).map((ms): Step => pass(ms)) },
  { weight: 5, arbitrary: fc.constantFrom(0, 3_000, 30_000).map((ms): Step => claim(ms)) },
  { weight: 5, arbitrary: fc.constant<Step>((world) => world.start()) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(3), fc.constantFrom('succeeded', 'failed', 'lost', 'stopped' as const))
      .map(
        ([place, result]): Step =>
          (world) =>
            world.finish(place, result),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(3).map(
      (place): Step =>
        (world) =>
          world.putBack(place),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>(askNow) },
);
const anyChange = fc
  .tuple(fc.constantFrom('edit', 'pause', 'resume' as const), fc.constantFrom(1_000, 2_500, 7_000))
  .map(
    ([kind, periodMs]): Step =>
      (world) =>
        world.change(kind, periodMs),
  );

test('every tick ends in one launch or one range, under every combination of policies', () => {
  const timelines = fc.array(anyStep, { minLength: 5, maxLength: 60 });
  const property = fc.property(anyPolicies, timelines, (policies, steps) => {
    const world = new PolicyWorld(policies as JobPolicies, 1_000);
    for (const step of steps) step(world);
    world.check();
    if (policies.observed === true) {
      const byItself = world.starts.filter(({ trigger }) => trigger !== 'manual');
      assert.deepEqual(byItself, [], 'an observed job starts nothing by itself');
    }
  });
  fc.assert(property, { numRuns: 3_000 });
});

test('every tick is accounted for across edits and pauses, too', () => {
  const anything = fc.oneof({ weight: 8, arbitrary: anyStep }, { weight: 1, arbitrary: anyChange });
  const timelines = fc.array(anything, { minLength: 5, maxLength: 60 });
  const property = fc.property(anyPolicies, timelines, (policies, steps) => {
    const world = new PolicyWorld(policies as JobPolicies, 1_000);
    for (const step of steps) step(world);
    world.check();
  });
  fc.assert(property, { numRuns: 3_000 });
});

test('what waits its turn is launched in the order of its ticks', () => {
  const inOrder = anyPolicies.filter(
    ({ misfire, overlap, parallel, retry: again, nodeLoss }) =>
      (misfire === 'all' || overlap === 'queue-all' || overlap === 'queue') &&
      parallel === undefined &&
      again === undefined &&
      nodeLoss === undefined,
  );
  const timelines = fc.array(anyStep, { minLength: 5, maxLength: 60 });
  const property = fc.property(inOrder, timelines, (policies, steps) => {
    const world = new PolicyWorld(policies as JobPolicies, 1_000);
    for (const step of steps) step(world);
    const ticks = world.starts.filter(({ trigger }) => trigger !== 'manual');
    const sorted = [...ticks].sort((one, other) => one.tickMs - other.tickMs);
    assert.deepEqual(ticks, sorted);
  });
  fc.assert(property, { numRuns: 2_000 });
});

function pass(ms: number): Step {
  return (world) => {
    world.nowMs += ms;
  };
}

function claim(aheadMs: number): Step {
  return (world) => world.claim(aheadMs);
}

function askNow(world: PolicyWorld): void {
  const times = { scheduledForMs: world.nowMs, notBeforeMs: world.nowMs };
  world.pending.push({ trigger: 'manual', attempt: 1, ...times, isAsked: true });
}
