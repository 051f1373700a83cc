import { OperatorError } from '../../domain/errors/errors.ts';
import { partsOfPlan } from '../../domain/jobFile/partsOfPlan.ts';
import type { StepToDo } from '../../domain/jobFile/planApply.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printNote } from '../output/print.ts';

/**
 * Takes the steps of a plan, each part of it as a whole; over a node's API each step by itself.
 * What was written when an error comes is said before it.
 */
export async function writeSteps(operator: ApiOperator, steps: readonly StepToDo[]): Promise<void> {
  const parts = partsOfPlan(steps);
  let written = 0;
  try {
    for (const part of parts) {
      await operator.writeJobs(part, (count) => {
        written += count;
      });
    }
  } catch (error) {
    const all = parts.flat().length;
    const isUnknown = error instanceof OperatorError && error.code === 'outcome_unknown';
    if (written > 0) {
      printNote(`${written} of ${all} jobs were written before this. Repeat it for the rest.`);
    } else if (!isUnknown) printNote('No job was changed.');
    throw error;
  }
}
