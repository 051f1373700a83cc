import { createHash } from 'node:crypto';
import { checkGroupName, checkNodeName } from '../../domain/job/fieldTable/checkNames.ts';
import { groupExists, groupMissing } from '../../store/groups/listGroups.ts';
import { listJobGroups } from '../../store/groups/listJobGroups.ts';
import { maySeeGroup } from '../authentication/api.ts';
import type { groupContract, limitContract } from '../contract/groupContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField } from './handling/badField.ts';
import { requireCondition, requireTag, type TagCondition } from './handling/entityTag.ts';

export const groupRoutes: Handlers<typeof groupContract> = {
  'GET /groups': async (_, c) => ({
    items: await c.var.operate((operator) => operator.listGroups()),
  }),
  'GET /groups/{group}': async ({ group: name }, c) => {
    const group = await c.var.operate((operator) => operator.showGroup(name));
    c.header('etag', tagOfMembers(group.nodes));
    // Who may not see all jobs gets their number, and no names.
    return { ...group, jobNames: c.var.caller.groups === null ? group.jobNames : [] };
  },
  'PUT /groups/{group}': async ({ group, nodes, ...headers }, c) => {
    requireGroupName(group);
    requireNodeNames(nodes);
    const isNew = headers['if-none-match'] === '*';
    const condition = isNew ? null : requireCondition(headers['if-match']);
    const changed = await c.var.operate((operator) =>
      operator.changeGroup(group, (members) => {
        requireMembers(group, members, condition);
        return nodes;
      }),
    );
    c.header('etag', tagOfMembers(changed.nodes));
    return changed;
  },
  'DELETE /groups/{group}': async ({ group, 'if-match': tag = '*' }, c) => {
    const condition = requireCondition(tag);
    return c.var.operate((operator) =>
      operator.changeGroup(group, (members) => {
        requireMembers(group, members, condition);
        return null;
      }),
    );
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

function requireGroupName(group: string): void {
  const fault = checkGroupName(group);
  if (fault !== null) throw badField('group', fault);
}

function requireNodeNames(nodes: readonly string[]): void {
  nodes.forEach((node, index) => {
    const message = checkNodeName(node);
    if (message !== null) throw badField(`nodes.${index}`, message);
  });
}

export const limitRoutes: Handlers<typeof limitContract> = {
  'GET /job-groups': async (_, c) => {
    const groups = await c.var.withChannel(listJobGroups);
    return { items: groups.filter((group) => maySeeGroup(c.var.caller, group)) };
  },
  'GET /limits': async (_, c) => {
    const limits = await c.var.operate((operator) => operator.listLimits());
    return { items: limits.filter(({ group }) => maySeeGroup(c.var.caller, group)) };
  },
  'PUT /limits/{group}': async ({ group, max }, c) => {
    requireLimitable(group);
    return c.var.operate((operator) => operator.changeLimit(group, max));
  },
  'DELETE /limits/{group}': async ({ group }, c) => {
    requireLimitable(group);
    return c.var.operate((operator) => operator.changeLimit(group, null));
  },
};

function requireLimitable(group: string): void {
  requireGroupName(group);
  if (group === 'default') throw badField('group', 'jobs without a group have no limit together');
}
