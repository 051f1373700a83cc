import { checkGroupName, checkLabel, checkNodeName } from './checkNames.ts';
import { choice, list, under } from './field.ts';

const itemsMax = 100;
const nodes = { format: 3, itemsMax, check: checkNodeName } as const;
const labels = { format: 3, itemsMax, value: 'label', check: checkLabel } as const;
const groups = { format: 3, itemsMax, value: 'group', check: checkGroupName } as const;

/**
 * Which nodes may run a job. A node that any exclusion names may not; else one that `on-node`,
 * `on-label` or `on-group` names may; without any of these three every node may that is not
 * excluded.
 */
export const placeFields = under('Where:', {
  kind: choice('kind', 'one node runs each tick, or every eligible node (single)', {
    format: 3,
    value: 'kind',
    default: 'single',
    choices: { single: 'one node runs each tick', 'every-node': 'each node runs every tick' },
  }),
  onNode: list('target.nodes', 'only on this node; may be repeated', { ...nodes, without: 'any' }),
  onLabel: list('target.labels', 'only on nodes with the label NAME or NAME=VALUE; repeatable', {
    ...labels,
    without: 'any',
  }),
  onGroup: list('target.groups', 'only on nodes of this group; may be repeated', {
    ...groups,
    without: 'any',
  }),
  notOnNode: list('target.excludeNodes', 'never on this node; may be repeated', {
    ...nodes,
    without: 'none',
  }),
  notOnLabel: list('target.excludeLabels', 'never on nodes with this label; may be repeated', {
    ...labels,
    without: 'none',
  }),
  notOnGroup: list('target.excludeGroups', 'never on nodes of this group; may be repeated', {
    ...groups,
    without: 'none',
  }),
});
