import { z } from '@hono/zod-openapi';
import { fieldChanges } from '../schemas/fieldsSchema.ts';
import {
  alike,
  answerSchema,
  described,
  ifMatchHeader,
  nameText,
  yesOrNo,
} from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const query = z.strictObject({
  group: nameText
    .optional()
    .describe('The group that the file is about. Default: the one that it names.'),
  prune: yesOrNo().optional().describe('Remove jobs of the groups of the file that are not in it.'),
});

/** JSON is YAML, and both are read by the reader of files, which says in which line a fault is. */
const file = {
  required: true,
  description:
    'A file of jobs in YAML or JSON: `group: NAME`, and under `jobs:` each name with its fields.',
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
  dryRun: z.boolean().describe('True: nothing was changed.'),
  ...described(z.int(), {
    added: 'Jobs that are added.',
    edited: 'Jobs that are changed.',
    unchanged: 'Jobs that are like this already.',
    removed: 'Jobs that are removed.',
  }),
  warnings: z.array(z.string()).describe('What may not be as intended, for people.'),
  plan: z.array(
    z.object({
      action: z.enum(['add', 'edit', 'unchanged', 'remove']),
      ...alike(z.string(), 'job', 'group'),
      changes: z.array(z.string()).describe('The fields that change.'),
      diff: fieldChanges
        .optional()
        .describe('Of an edit, the fields with their values, but for secrets.'),
    }),
  ),
});

export const fileContract = {
  'POST /plan': {
    ...{ id: 'planFile', role: 'viewer', kept: 'look', tag: 'files' },
    summary: 'Plan a file of jobs',
    description:
      'Lists the changes that applying it would make, and changes nothing. Its ETag names this ' +
      'plan: send it as If-Match when the file is applied.',
    ...{ query, file, answers: 'The planned changes.', answer: plan },
  },
  'POST /apply': {
    ...{ id: 'applyFile', role: 'operator', tag: 'files' },
    summary: 'Apply a file of jobs',
    description:
      'Adds and changes jobs so that they are as in the file; with `prune` it removes others. ' +
      'Up to 1,000 new jobs, or 50 changed ones, are written as a whole. After an error repeat ' +
      'it. With If-Match it is applied only while the plan is still the one that was read.',
    headers: ifMatchHeader,
    ...{ query, file, answers: 'The changes that were made.', answer: plan },
  },
} as const satisfies Contract;
