import { createHash } from 'node:crypto';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { checkGroupName, checkNodeName } from '../../domain/job/fieldTable/checkNames.ts';
import { groupMissing } from '../../store/groups/listGroups.ts';
import type { groupContract } from '../contract/groupContract.ts';
import { changedGroupView, groupView } from '../views/groupView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField } from './handling/badField.ts';
import { requireCondition, requireTag, type TagCondition } from './handling/entityTag.ts';

export const groupRoutes: Handlers<typeof groupContract> = {
  'GET /groups': async (_, c) => {
    const groups = await c.var.operate((operator) => operator.listGroups());
    return { items: groups.map(groupView) };
  },
  'GET /groups/{group}': async ({ group: name }, c) => {
    const group = await c.var.operate((operator) => operator.showGroup(name));
    c.header('etag', tagOfMembers(group.nodes));
    // Who may not see all jobs is told how many, and no names.
    const jobNames = c.var.caller.groups === null ? group.jobNames : [];
    return { ...groupView(group), jobNames };
  },
  'PUT /groups/{group}': async ({ group, nodes, ...headers }, c) => {
    requireNames(group, nodes);
    const isNew = headers['if-none-match'] === '*';
    const condition = isNew ? null : requireCondition(headers['if-match']);
    const changed = await c.var.operate((operator) =>
      operator.changeGroup(group, (members) => {
        requireMembers(group, members, condition);
        return nodes;
      }),
    );
    c.header('etag', tagOfMembers(changed.nodes));
    return changedGroupView(changed);
  },
  'DELETE /groups/{group}': async ({ group, 'if-match': tag = '*' }, c) => {
    const condition = requireCondition(tag);
    const changed = await c.var.operate((operator) =>
      operator.changeGroup(group, (members) => {
        requireMembers(group, members, condition);
        return null;
      }),
    );
    return changedGroupView(changed);
  },
};

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
