import type { StepToDo } from './planApply.ts';

/**
 * The steps of a plan that change anything, new jobs first, in lists that are each written as a
 * whole. A transaction holds the locks of other jobs' ticks for 0.2 s at a thousand new jobs, and
 * for as long at 25 changed ones (MariaDB, 2 cores): so long a tick may be late by it.
 */
export function partsOfPlan<Step extends Pick<StepToDo, 'action'>>(
  steps: readonly Step[],
): Step[][] {
  const added = steps.filter(({ action }) => action === 'add');
  const changed = steps.filter(({ action }) => action === 'edit' || action === 'remove');
  const parts: Step[][] = [];
  let room = 0;
  for (const step of [...added, ...changed]) {
    const cost = step.action === 'add' ? addCost : changeCost;
    if (cost > room) {
      parts.push([]);
      room = costMax;
    }
    parts.at(-1)?.push(step);
    room -= cost;
  }
  return parts;
}

const addCost = 1;
const changeCost = 20;
/** 1,000 new jobs, or 50 that change. */
const costMax = 1_000;
