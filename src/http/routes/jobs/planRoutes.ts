import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import { withOrigin } from '../../../domain/jobFile/wantedJob.ts';
import { doStep, type StepToDo } from '../../../store/operator/doStep.ts';
import { requireGroup } from '../../authentication/api.ts';
import type { Answer } from '../../contract/apiContract.ts';
import type { fileContract } from '../../contract/fileContract.ts';
import type { PlanStep } from '../../work/planWork.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { groupOfJob, requireJob } from '../handling/jobAccess.ts';
import { planFile } from '../handling/planFile.ts';

export const planRoutes: Handlers<typeof fileContract> = {
  'POST /plan': async ({ group, prune: isPruning = false }, c) => {
    const planned = await planFile(c.var, { text: await c.req.text(), group, isPruning });
    return planView(planned, true);
  },
  'POST /apply': async ({ group, prune: isPruning = false }, c) => {
    const planned = await planFile(c.var, { text: await c.req.text(), group, isPruning });
    const { caller, operate } = c.var;
    // A channel for each step: others of the node's requests need not wait for the whole.
    for (const step of planned.steps) {
      if (step.action === 'unchanged') continue;
      await operate(async (operator) => {
        // It may have been moved to another group since it was planned.
        if (step.action === 'edit') await requireJob(operator, caller, step.job);
        await doStep(operator, receivedStep(step), (job) =>
          requireGroup(caller, groupOfJob(job), job),
        );
      });
    }
    return planView(planned, false);
  },
};

/** As a thread of its own sent it. */
function receivedStep({ action, job, definition, pause }: PlanStep): StepToDo {
  if (definition === null) return { action, job, wanted: null };
  const wanted = JSON.parse(definition) as JobDefinition;
  const define = (current: JobDefinition | null) => withOrigin(wanted, current);
  return { action, job, wanted: { define, ...(pause === undefined ? {} : { pause }) } };
}

function planView(
  { steps, warnings }: Awaited<ReturnType<typeof planFile>>,
  dryRun: boolean,
): Answer<'POST /plan'> {
  const count = (action: PlanStep['action']): number =>
    steps.filter((step) => step.action === action).length;
  return {
    ...{ format: 'yaml', dryRun },
    added: count('add'),
    edited: count('edit'),
    unchanged: count('unchanged'),
    removed: count('remove'),
    warnings,
    plan: steps.map(({ action, job, group, changes }) => ({ action, job, group, changes })),
  };
}
