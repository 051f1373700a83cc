import { z } from '@hono/zod-openapi';
import { alike, answerSchema, nameText, yesOrNo } from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const query = z.strictObject({
  group: nameText.optional().describe('The one group that the file is about.'),
  prune: yesOrNo().optional().describe('Remove the jobs of the groups of the file that it lacks.'),
});

/** JSON is YAML, and both are read by the reader of files, which says in which line a fault is. */
const file = {
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

const plan = answerSchema('Plan', {
  format: z.literal('yaml'),
  dryRun: z.boolean(),
  ...alike(z.int(), 'added', 'edited', 'unchanged', 'removed'),
  warnings: z.array(z.string()),
  plan: z.array(
    z.object({
      action: z.enum(['add', 'edit', 'unchanged', 'remove']),
      ...alike(z.string(), 'job', 'group'),
      changes: z.array(z.string()),
    }),
  ),
});

export const fileContract = {
  'POST /plan': {
    ...{ id: 'planFile', role: 'viewer', kept: 'look', tag: 'files' },
    summary: 'Plan the changes that applying a file of jobs makes',
    ...{ query, file, answers: 'The steps; nothing was changed.', answer: plan },
  },
  'POST /apply': {
    ...{ id: 'applyFile', role: 'operator', tag: 'files' },
    summary: 'Apply a file of jobs',
    description:
      'Each step is a transaction of its own, in an order in which each can be done. After an ' +
      'error apply the file again: it continues where it stopped.',
    ...{ query, file, answers: 'The steps that were done.', answer: plan },
  },
} as const satisfies Contract;
