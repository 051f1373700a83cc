import { z } from '@hono/zod-openapi';
import {
  answerSchema,
  described,
  ifMatchHeader,
  inputSchema,
  isoInstant,
  nameText,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const group = answerSchema('Group', {
  group: z.string(),
  nodes: z.array(z.string()),
  jobs: z.int().describe('How many jobs name the group, counted up to 10,000.'),
  changedAt: isoInstant,
});
export type GroupView = Shown<typeof group>;

const changedGroup = answerSchema('GroupChanged', {
  group: z.string(),
  nodes: z.array(z.string()),
  changed: z.boolean(),
  withdrawn: z.int().describe('Launches that had not started and were withdrawn.'),
});

export const groupContract = {
  'GET /groups': {
    ...{ id: 'listGroups', role: 'viewer', tag: 'groups' },
    summary: 'List the groups of nodes',
    ...{ answers: 'All groups, by name.', answer: z.object({ items: z.array(group) }) },
  },
  'GET /groups/{group}': {
    ...{ id: 'readGroup', role: 'viewer', tag: 'groups' },
    summary: 'Read a group of nodes',
    answers: 'The group.',
    answer: group
      .extend({
        jobNames: z.array(z.string()).describe('The first of the jobs that name it.'),
      })
      .openapi('GroupShown'),
  },
  'PUT /groups/{group}': {
    ...{ id: 'putGroup', role: 'admin', scope: 'cluster', tag: 'groups' },
    summary: 'Add a group of nodes, or replace its members',
    description:
      'To add a group, send `If-None-Match: *`. To replace its members, send its ETag, or `*`, ' +
      'as If-Match.',
    headers: ifMatchHeader.extend({
      'if-none-match': z
        .literal('*')
        .optional()
        .describe('Only if there is no group of this name.'),
    }),
    body: inputSchema('Members', {
      nodes: z.array(nameText).max(1_000).describe('The names of all its nodes.'),
    }),
    ...{ answers: 'The changed group.', answer: changedGroup },
  },
  'DELETE /groups/{group}': {
    ...{ id: 'removeGroup', role: 'admin', scope: 'cluster', tag: 'groups' },
    summary: 'Remove a group of nodes',
    description: 'No job may name it. If-Match is optional.',
    headers: ifMatchHeader,
    ...{ answers: 'The group is removed.', answer: changedGroup },
  },
} as const satisfies Contract;

const limit = answerSchema('Limit', {
  group: z.string(),
  ...described(z.int(), {
    max: 'The most launches at once.',
    held: 'Launches at present, prepared ones included.',
    running: 'Runs under way.',
    waiting: 'Launches that are due and have not been claimed.',
    jobs: 'Jobs of the group, counted up to 10,000.',
  }),
});

const changedLimit = answerSchema('LimitChanged', {
  group: z.string(),
  max: z.int().nullable(),
  changed: z.boolean(),
});

export const limitContract = {
  'GET /job-groups': {
    ...{ id: 'listJobGroups', role: 'viewer', tag: 'jobs' },
    summary: 'List the groups that jobs are in',
    answers: 'Their names; of a token for some groups only those.',
    answer: z.object({ items: z.array(z.string()) }),
  },
  'GET /limits': {
    ...{ id: 'listLimits', role: 'viewer', tag: 'limits' },
    summary: 'List the limits of groups of jobs',
    ...{ answers: 'All limits, by group.', answer: z.object({ items: z.array(limit) }) },
  },
  'PUT /limits/{group}': {
    ...{ id: 'setLimit', role: 'admin', scope: 'cluster', tag: 'limits' },
    summary: 'Set the limit of a group of jobs',
    description: 'How many launches its jobs may have at once, in the whole cluster.',
    body: z.strictObject({ max: z.int().min(1).max(1_000_000) }),
    ...{ answers: 'The limit.', answer: changedLimit },
  },
  'DELETE /limits/{group}': {
    ...{ id: 'removeLimit', role: 'admin', scope: 'cluster', tag: 'limits' },
    summary: 'Remove the limit of a group of jobs',
    ...{ answers: 'The group has no limit.', answer: changedLimit },
  },
} as const satisfies Contract;
