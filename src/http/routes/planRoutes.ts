import { createRoute, type z } from '@hono/zod-openapi';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { withOrigin } from '../../domain/words/wantedJob.ts';
import { doStep, type StepToDo } from '../../store/operator/doStep.ts';
import { type Api, needs, requireGroup } from '../api.ts';
import { answers } from '../schemas/answers.ts';
import { planQuery, planSchema } from '../schemas/planSchemas.ts';
import type { PlanStep } from '../work/planWork.ts';
import { groupOfJob, requireJob } from './jobAccess.ts';
import { planFile } from './planFile.ts';

/** JSON is YAML, and both are read by the reader of files, which says in which line a fault is. */
const fileBody = {
  required: true,
  description: 'A file of jobs: `group: NAME`, and under `jobs:` each name with its fields.',
  content: {
    'application/yaml': { schema: { type: 'string' } },
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          group: { type: 'string' },
          jobs: { type: 'object', additionalProperties: { type: 'object' } },
        },
        additionalProperties: false,
      },
    },
  },
} as const;

const planRoute = createRoute({
  method: 'post',
  path: '/api/v1/plan',
  operationId: 'planFile',
  ...needs('viewer', 'look'),
  tags: ['files'],
  summary: 'What applying a file of jobs would do',
  request: { query: planQuery, body: fileBody },
  responses: answers(200, 'The steps; nothing was changed.', planSchema),
});

const applyRoute = createRoute({
  method: 'post',
  path: '/api/v1/apply',
  operationId: 'applyFile',
  ...needs('operator'),
  tags: ['files'],
  summary: 'Make the jobs what a file says',
  description:
    'Each step is a transaction of its own, in an order in which each can be done. After an ' +
    'error apply the file again: it goes on where it was.',
  request: { query: planQuery, body: fileBody },
  responses: answers(200, 'The steps; they are done.', planSchema),
});

/** `POST /api/v1/plan` and `POST /api/v1/apply`. */
export function addPlanRoutes(api: Api): void {
  api.openapi(planRoute, async (c) => {
    const { group, prune: isPruning = false } = c.req.valid('query');
    const planned = await planFile(c.var, { text: await c.req.text(), group, isPruning });
    return c.json(planView(planned, true), 200);
  });
  api.openapi(applyRoute, async (c) => {
    const { group, prune: isPruning = false } = c.req.valid('query');
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
    return c.json(planView(planned, false), 200);
  });
}

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
): z.infer<typeof planSchema> {
  const count = (action: PlanStep['action']): number =>
    steps.filter((step) => step.action === action).length;
  return {
    ...{ format: 'yaml', dryRun },
    added: count('add'),
    edited: count('edit'),
    unchanged: count('unchanged'),
    removed: count('remove'),
    warnings: [...warnings],
    plan: steps.map(({ action, job, group, changes }) => {
      return { action, job, group, changes: [...changes] };
    }),
  };
}
