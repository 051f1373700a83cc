import { OperatorError } from '../../domain/errors/errors.ts';
import { checkGroupName, checkNodeName } from '../../domain/job/fieldTable/checkNodeName.ts';
import type { ChangedGroupView } from '../../http/contract/groupContract.ts';
import { groupBounds } from '../../store/groups/changeGroup.ts';
import { groupMissing } from '../../store/groups/listGroups.ts';
import { printList } from '../connect/printList.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printFields, printJson, printLine } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

interface GroupOptions extends ClusterOptions {
  readonly json?: boolean;
  readonly node?: readonly string[];
  readonly addNode?: readonly string[];
  readonly removeNode?: readonly string[];
}

/** `group add`. */
export async function addGroupAction(name: string, options: GroupOptions): Promise<void> {
  const fault = checkGroupName(name);
  if (fault !== null) throw usageFault(`NAME: ${fault}.`, seeAdd);
  const { node = [] } = options;
  requireNodeNames('--node', node);
  const changed = await withOperator(options, (operator) =>
    operator.changeGroup(name, (members) => {
      if (members !== null) throw groupExists(name);
      return node;
    }),
  );
  tellChange(changed, 'Added', options);
}

/** `group edit`. */
export async function editGroupAction(name: string, options: GroupOptions): Promise<void> {
  const { node, addNode = [], removeNode = [] } = options;
  if (node === undefined && addNode.length + removeNode.length === 0) {
    throw usageFault('Nothing to change is given.', 'See: statecron group edit --help');
  }
  requireNodeNames('--node', node ?? []);
  requireNodeNames('--add-node', addNode);
  const changed = await withOperator(options, (operator) =>
    operator.changeGroup(name, (members) => {
      if (members === null) throw groupMissing(name);
      const left = [...(node ?? members), ...addNode].filter((each) => !removeNode.includes(each));
      requireRoom(left);
      return left;
    }),
  );
  tellChange(changed, 'Edited', options);
}

/** `group remove`. */
export async function removeGroupAction(name: string, options: GroupOptions): Promise<void> {
  const changed = await withOperator(options, (operator) =>
    operator.changeGroup(name, (members) => {
      if (members === null) throw groupMissing(name);
      return null;
    }),
  );
  tellChange(changed, 'Removed', options);
}

/** `group list`. */
export async function listGroupsAction(options: GroupOptions): Promise<void> {
  await printList(options, {
    ask: (operator) => operator.listGroups(),
    none: 'There are no groups. Add one: statecron group add web --node web1',
    headings: ['GROUP', 'JOBS', 'NODES'],
    rowOf: ({ group, jobs, nodes }) => [group, `${jobs}`, nodes.join(', ') || '-'],
  });
}

/** `group show`. */
export async function showGroupAction(name: string, options: GroupOptions): Promise<void> {
  const group = await withOperator(options, (operator) => operator.showGroup(name));
  if (options.json) return printJson(group);
  const more = group.jobs > group.jobNames.length ? ' …' : '';
  printFields([
    ['group', group.group],
    ['nodes', group.nodes.join(', ') || '-'],
    ['changed', group.changedAt],
    ['jobs', group.jobs === 0 ? '-' : `${group.jobs}: ${group.jobNames.join(', ')}${more}`],
  ]);
}

function tellChange(answer: ChangedGroupView, done: string, options: GroupOptions): void {
  if (options.json) {
    printJson(answer);
    return;
  }
  const { group, changed, withdrawn } = answer;
  const back = withdrawn === 0 ? '' : `; ${withdrawn} prepared launches were taken back`;
  printLine(changed ? `${done} ${group}${back}.` : `${group} is unchanged.`);
}

function requireNodeNames(flag: string, names: readonly string[]): void {
  for (const name of names) {
    const fault = checkNodeName(name);
    if (fault !== null) throw usageFault(`${flag}: ${fault}.`, seeAdd);
  }
  requireRoom(names);
}

function requireRoom(names: readonly string[]): void {
  if (new Set(names).size <= groupBounds.nodesMax) return;
  throw usageFault(`--node: ${groupBounds.nodesMax} nodes are allowed in a group.`, seeAdd);
}

function groupExists(name: string): OperatorError {
  return new OperatorError({
    code: 'group_exists',
    message: `There is a group ${JSON.stringify(name)} already.`,
    hint: 'Take another name, or change that one: statecron group edit',
  });
}

const seeAdd = 'See: statecron group add --help';
