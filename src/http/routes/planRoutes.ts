import { createRoute, type z } from '@hono/zod-openapi';
import type { PlannedStep } from '../../domain/words/planApply.ts';
import type { Operator } from '../../store/operator/operator.ts';
import { type Api, type Caller, needs, requireGroup } from '../api.ts';
import { answers } from '../schemas/answers.ts';
import { planQuery, planSchema } from '../schemas/planSchemas.ts';
import { groupOfJob } from './jobAccess.ts';
import { type Planned, planFile } from './planFile.ts';

/** JSON is YAML, and both are read by the reader of files, which says in which line a fault is. */
const fileBody = {
  required: true,
  description: 'A file of jobs: `group: NAME`, and under `jobs:` each name with its words.',
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
  ...needs('viewer'),
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
    const asked = {
      text: await c.req.text(),
      isPruning,
      ...(group === undefined ? {} : { group }),
    };
    const planned = await c.var.operate((operator) => planFile(operator, c.var.caller, asked));
    return c.json(planView(planned, true), 200);
  });
  api.openapi(applyRoute, async (c) => {
    const { group, prune: isPruning = false } = c.req.valid('query');
    const asked = {
      text: await c.req.text(),
      isPruning,
      ...(group === undefined ? {} : { group }),
    };
    const { caller, operate } = c.var;
    const planned = await operate((operator) => planFile(operator, caller, asked));
    // A channel for each step: others of the node's requests need not wait for the whole.
    for (const step of planned.steps) {
      if (step.action !== 'unchanged') await operate((operator) => doStep(operator, caller, step));
    }
    return c.json(planView(planned, false), 200);
  });
}

async function doStep(operator: Operator, caller: Caller, step: PlannedStep): Promise<void> {
  const { action, job: name, wanted } = step;
  if (wanted === null) await operator.removeJob(name);
  else if (action === 'add') await operator.addJob(wanted.define(null));
  else {
    await operator.editJob(name, (current) => {
      // It may have been moved to another group since it was planned.
      requireGroup(caller, groupOfJob(current), current);
      return wanted.define(current);
    });
  }
}

function planView({ steps, warnings }: Planned, dryRun: boolean): z.infer<typeof planSchema> {
  const count = (action: PlannedStep['action']): number =>
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
