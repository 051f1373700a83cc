import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOfPlan } from '../../../src/domain/jobFile/partsOfPlan.ts';

type Action = Parameters<typeof partsOfPlan>[0][number]['action'];

function partsOf(counts: readonly (readonly [Action, number])[]): string[] {
  const steps = counts.flatMap(([action, count]) =>
    Array.from({ length: count }, () => ({ action })),
  );
  return partsOfPlan(steps).map((part) => {
    const of = (action: Action) => part.filter((step) => step.action === action).length;
    return `${of('add')} ${of('edit')} ${of('remove')}`;
  });
}

test('a plan is one part unless it would hold the locks of other jobs for long', () => {
  assert.deepEqual(partsOf([['unchanged', 5]]), []);
  assert.deepEqual(
    partsOf([
      ['edit', 30],
      ['unchanged', 9],
      ['remove', 10],
      ['add', 200],
    ]),
    ['200 30 10'],
  );
  assert.deepEqual(
    partsOf([
      ['edit', 51],
      ['add', 1_001],
    ]),
    ['1000 0 0', '1 49 0', '0 2 0'],
  );
});
