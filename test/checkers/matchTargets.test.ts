import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchTargets, type Target } from './matchTargets.ts';

const worlds = fc.record({
  targets: fc.array(
    fc
      .record({ fromMs: fc.integer({ min: 0, max: 12 }), widthMs: fc.integer({ min: 0, max: 8 }) })
      .map(({ fromMs, widthMs }) => ({ fromMs, untilMs: fromMs + widthMs })),
    { maxLength: 7 },
  ),
  runs: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
});

test('a matching is found whenever trying every one finds one', () => {
  fc.assert(
    fc.property(worlds, ({ targets, runs }) => {
      assert.equal(matchTargets(targets, runs) === null, canMatch(targets, runs));
    }),
    { numRuns: 3_000 },
  );
});

test('a counterexample has more targets inside its span than there are runs', () => {
  let counterexamples = 0;
  fc.assert(
    fc.property(worlds, ({ targets, runs }) => {
      const violator = matchTargets(targets, runs);
      if (violator === null) return;
      counterexamples += 1;
      const { fromMs, untilMs } = violator;
      for (const place of violator.targets) {
        const target = targets[place] as Target;
        assert.ok(target.fromMs >= fromMs && target.untilMs <= untilMs, 'a target sticks out');
      }
      const inside = runs.filter((runMs) => runMs >= fromMs && runMs <= untilMs);
      assert.equal(violator.runs, inside.length);
      assert.ok(violator.targets.length > inside.length, 'it shows nothing');
    }),
    { numRuns: 3_000 },
  );
  assert.ok(counterexamples > 300, 'too few of the worlds had no matching');
});

test('a hundred thousand starts are matched without trying every pair', () => {
  const targets = Array.from({ length: 100_000 }, (_, n) => ({ fromMs: n, untilMs: n + 5_000 }));
  const runs = targets.map(({ fromMs }) => fromMs + 2_500);
  const began = performance.now();
  assert.equal(matchTargets(targets, runs), null);
  // Every pair would be ten thousand million steps.
  assert.ok(performance.now() - began < 10_000, 'it tried every pair');
});

/** Gives each target in turn every run that is left: slow and surely right. */
function canMatch(targets: readonly Target[], runs: readonly number[]): boolean {
  const [first, ...others] = targets;
  if (first === undefined) return true;
  return runs.some((runMs, place) => {
    if (runMs < first.fromMs || runMs > first.untilMs) return false;
    return canMatch(others, runs.toSpliced(place, 1));
  });
}
