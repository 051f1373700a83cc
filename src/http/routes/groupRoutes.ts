import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { exitCodes, OperatorError } from '../../domain/errors.ts';
import { checkGroupName, checkNodeName } from '../../domain/targeting/checkTarget.ts';
import type { DecideMembers } from '../../store/groups/changeGroup.ts';
import { groupMissing } from '../../store/groups/listGroups.ts';
import { type Api, needs } from '../api.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import {
  changedGroupSchema,
  groupBody,
  groupPath,
  groupSchema,
  shownGroupSchema,
} from '../schemas/clusterSchemas.ts';
import { ifMatchHeader } from '../schemas/querySchemas.ts';
import { changedGroupView, groupView } from '../views/groupView.ts';
import { badField } from './badField.ts';
import { requireCondition, requireTag, type TagCondition } from './entityTag.ts';
import { requireAllGroups } from './jobAccess.ts';

const putHeaders = ifMatchHeader.extend({
  'if-none-match': z
    .literal('*')
    .optional()
    .openapi({ description: 'Only when there is no such group.' }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/groups',
  operationId: 'listGroups',
  ...needs('viewer'),
  tags: ['groups'],
  summary: 'List the groups of nodes',
  responses: answers(200, 'All of them, by name.', z.object({ items: z.array(groupSchema) })),
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/v1/groups/{group}',
  operationId: 'readGroup',
  ...needs('viewer'),
  tags: ['groups'],
  summary: 'Read a group of nodes',
  request: { params: groupPath },
  responses: answers(200, 'The group.', shownGroupSchema),
});

const putRoute = createRoute({
  method: 'put',
  path: '/api/v1/groups/{group}',
  operationId: 'putGroup',
  ...needs('admin'),
  tags: ['groups'],
  summary: 'Make a group of nodes, or give it other members',
  description:
    'With If-Match (the ETag, or *) it must be there, with If-None-Match: * it must not.',
  request: { params: groupPath, headers: putHeaders, body: jsonBody(groupBody) },
  responses: answers(200, 'It is so now.', changedGroupSchema),
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/api/v1/groups/{group}',
  operationId: 'removeGroup',
  ...needs('admin'),
  tags: ['groups'],
  summary: 'Remove a group of nodes that no job names',
  request: { params: groupPath, headers: ifMatchHeader },
  responses: answers(200, 'It is removed.', changedGroupSchema),
});

/** `/api/v1/groups`. */
export function addGroupRoutes(api: Api): void {
  addReadRoutes(api);
  api.openapi(putRoute, async (c) => {
    const { group } = c.req.valid('param');
    const { nodes } = c.req.valid('json');
    requireAllGroups(c.var.caller);
    requireNames(group, nodes);
    const headers = c.req.valid('header');
    const isNew = headers['if-none-match'] === '*';
    const condition = isNew ? null : requireCondition(headers['if-match']);
    const decide: DecideMembers = (members) => {
      requireMembers(group, members, condition);
      return nodes;
    };
    const changed = await c.var.operate((operator) => operator.changeGroup(group, decide));
    c.header('etag', tagOfMembers(changed.nodes));
    return c.json(changedGroupView(changed), 200);
  });
  api.openapi(removeRoute, async (c) => {
    const { group } = c.req.valid('param');
    requireAllGroups(c.var.caller);
    const condition = requireCondition(c.req.valid('header')['if-match'] ?? '*');
    const decide: DecideMembers = (members) => {
      requireMembers(group, members, condition);
      return null;
    };
    const changed = await c.var.operate((operator) => operator.changeGroup(group, decide));
    return c.json(changedGroupView(changed), 200);
  });
}

function addReadRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    const groups = await c.var.operate((operator) => operator.listGroups());
    return c.json({ items: groups.map(groupView) }, 200);
  });
  api.openapi(readRoute, async (c) => {
    const { group: name } = c.req.valid('param');
    const group = await c.var.operate((operator) => operator.showGroup(name));
    c.header('etag', tagOfMembers(group.nodes));
    // Who may not see all jobs is told how many, and no names.
    const jobNames = c.var.caller.groups === null ? [...group.jobNames] : [];
    return c.json({ ...groupView(group), jobNames }, 200);
  });
}

function tagOfMembers(nodes: readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(nodes)).digest('hex').slice(0, 16)}"`;
}

/** `condition` null: there must be no such group. */
function requireMembers(
  group: string,
  members: readonly string[] | null,
  condition: TagCondition | null,
): void {
  if (condition === null) {
    if (members !== null) throw groupExists(group);
    return;
  }
  if (members === null) throw groupMissing(group);
  requireTag(condition, tagOfMembers(members));
}

function requireNames(group: string, nodes: readonly string[]): void {
  const fault = checkGroupName(group);
  if (fault !== null) throw badField('group', fault);
  nodes.forEach((node, index) => {
    const message = checkNodeName(node);
    if (message !== null) throw badField(`nodes.${index}`, message);
  });
}

function groupExists(name: string): OperatorError {
  return new OperatorError({
    code: 'group_exists',
    message: `There is a group ${JSON.stringify(name)} already.`,
    hint: 'Take another name, or change that one: statecron group edit',
    exitCode: exitCodes.failed,
  });
}
