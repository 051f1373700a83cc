import { checkGroupName, checkLabel, checkNodeName } from './checkNames.ts';
import { rowsWith, under } from './field.ts';

const { choice, list } = rowsWith({ format: 3 });

const itemsMax = 100;
const nodes = (without: string) => ({ itemsMax, without, check: checkNodeName });
const labels = (without: string) => ({ itemsMax, without, value: 'label', check: checkLabel });
const groups = (without: string) => ({ itemsMax, without, value: 'group', check: checkGroupName });

/**
 * Which nodes may run a job. A node that any exclusion names may not; else one that `on-node`,
 * `on-label` or `on-group` names may; without any of these three every node may that is not
 * excluded.
 */
export const placeFields = under('Where:', {
  kind: choice('kind', 'one node runs each tick, or every eligible node (single)', {
    value: 'kind',
    default: 'single',
    isAlwaysShown: true,
    choices: { single: 'one node runs each tick', 'every-node': 'each node runs every tick' },
  }),
  onNode: list('target.nodes', 'only on this node; may be repeated', nodes('any')),
  onLabel: list(
    'target.labels',
    'only on nodes with the label NAME or NAME=VALUE; repeatable',
    labels('any'),
  ),
  onGroup: list('target.groups', 'only on this group of nodes; may be repeated', groups('any')),
  notOnNode: list('target.excludeNodes', 'never on this node; may be repeated', nodes('none')),
  notOnLabel: list(
    'target.excludeLabels',
    'never on nodes with this label; may be repeated',
    labels('none'),
  ),
  notOnGroup: list(
    'target.excludeGroups',
    'never on this group of nodes; may be repeated',
    groups('none'),
  ),
});
