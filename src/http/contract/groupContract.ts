import { z } from '@hono/zod-openapi';
import {
  alike,
  answerSchema,
  ifMatchHeader,
  inputSchema,
  isoInstant,
  nameText,
} from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const group = answerSchema('Group', {
  group: z.string(),
  nodes: z.array(z.string()),
  jobs: z.int().describe('How many jobs name it.'),
  changedAt: isoInstant,
});
export type GroupView = Shown<typeof group>;

const changedGroup = answerSchema('GroupChanged', {
  group: z.string(),
  nodes: z.array(z.string()),
  changed: z.boolean(),
  withdrawn: z.int().describe('Prepared launches that were taken back.'),
});

export const groupContract = {
  'GET /groups': {
    ...{ id: 'listGroups', role: 'viewer', tag: 'groups' },
    summary: 'List the groups of nodes',
    ...{ answers: 'All of them, by name.', answer: z.object({ items: z.array(group) }) },
  },
  'GET /groups/{group}': {
    ...{ id: 'readGroup', role: 'viewer', tag: 'groups' },
    summary: 'Read a group of nodes',
    answers: 'The group.',
    answer: group
      .extend({
        jobNames: z.array(z.string()).describe('The first of those jobs.'),
      })
      .openapi('GroupShown'),
  },
  'PUT /groups/{group}': {
    ...{ id: 'putGroup', role: 'admin', scope: 'cluster', tag: 'groups' },
    summary: 'Add a group of nodes, or replace its members',
    description: 'With If-Match (the ETag, or *) it must exist, with If-None-Match: * it must not.',
    headers: ifMatchHeader.extend({
      'if-none-match': z.literal('*').optional().describe('Only when there is no such group.'),
    }),
    body: inputSchema('Members', { nodes: z.array(nameText).max(1_000) }),
    ...{ answers: 'The changed group.', answer: changedGroup },
  },
  'DELETE /groups/{group}': {
    ...{ id: 'removeGroup', role: 'admin', scope: 'cluster', tag: 'groups' },
    summary: 'Remove a group of nodes that no job names',
    headers: ifMatchHeader,
    ...{ answers: 'It is removed.', answer: changedGroup },
  },
} as const satisfies Contract;

const limit = answerSchema('Limit', {
  group: z.string(),
  ...alike(z.int(), 'max', 'held', 'jobs'),
});

const changedLimit = answerSchema('LimitChanged', {
  group: z.string(),
  max: z.int().nullable(),
  changed: z.boolean(),
});

export const limitContract = {
  'GET /limits': {
    ...{ id: 'listLimits', role: 'viewer', tag: 'limits' },
    summary: 'List how many launches groups of jobs may have at once',
    ...{ answers: 'All limits, by group.', answer: z.object({ items: z.array(limit) }) },
  },
  'PUT /limits/{group}': {
    ...{ id: 'setLimit', role: 'admin', scope: 'cluster', tag: 'limits' },
    summary: 'Limit how many launches a group of jobs may have at once',
    body: z.strictObject({ max: z.int().min(1).max(1_000_000) }),
    ...{ answers: 'The changed limit.', answer: changedLimit },
  },
  'DELETE /limits/{group}': {
    ...{ id: 'removeLimit', role: 'admin', scope: 'cluster', tag: 'limits' },
    summary: 'Remove the limit of a group of jobs',
    ...{ answers: 'The group has no limit.', answer: changedLimit },
  },
} as const satisfies Contract;
