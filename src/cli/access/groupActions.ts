import { checkGroupName, checkNodeName } from '../../domain/job/fieldTable/checkNames.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { groupBounds } from '../../store/groups/changeGroup.ts';
import { groupExists, groupMissing } from '../../store/groups/listGroups.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { printFields } from '../output/lines/printFields.ts';
import { printLine } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

interface GroupOptions extends ClusterOptions {
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
  await changeGroup(name, 'Added', options, (members) => {
    if (members !== null) throw groupExists(name);
    return node;
  });
}

/** `group edit`. */
export async function editGroupAction(name: string, options: GroupOptions): Promise<void> {
  const { node, addNode = [], removeNode = [] } = options;
  if (node === undefined && addNode.length + removeNode.length === 0) {
    throw usageFault('Nothing to change is given.', 'See: statecron group edit --help');
  }
  requireNodeNames('--node', node ?? []);
  requireNodeNames('--add-node', addNode);
  await changeGroup(name, 'Edited', options, (members) => {
    if (members === null) throw groupMissing(name);
    const left = [...(node ?? members), ...addNode].filter((each) => !removeNode.includes(each));
    requireRoom(left);
    return left;
  });
}

/** `group remove`. */
export async function removeGroupAction(name: string, options: GroupOptions): Promise<void> {
  await changeGroup(name, 'Removed', options, (members) => {
    if (members === null) throw groupMissing(name);
    return null;
  });
}

/** `group list`. */
export async function listGroupsAction(options: GroupOptions): Promise<void> {
  await printList(options, {
    read: (operator) => operator.listGroups(),
    empty: 'There are no groups of nodes. Add one: statecron group add web --node web1',
    columns: [
      { heading: 'GROUP', of: ({ group }) => group },
      { heading: 'NAMED BY', of: ({ jobs }) => counted(jobs, 'job') },
      { heading: 'NODES', of: ({ nodes }) => nodes.join(', ') || '-', wrapTo: 20 },
    ],
  });
}

/** `group show`. */
export async function showGroupAction(name: string, options: GroupOptions): Promise<void> {
  const send = (operator: ApiOperator) => operator.showGroup(name);
  await printAnswer(options, send, ({ group, nodes, changedAt, jobs, jobNames }) => {
    const more = jobs > jobNames.length ? ' …' : '';
    printFields([
      ['group', group],
      ['nodes', nodes.join(', ') || '-'],
      ['changed', formatInstant(changedAt)],
      ['named by', `${counted(jobs, 'job')}${jobs === 0 ? '' : `: ${jobNames.join(', ')}${more}`}`],
    ]);
  });
}

async function changeGroup(
  name: string,
  done: string,
  options: GroupOptions,
  change: Parameters<ApiOperator['changeGroup']>[1],
): Promise<void> {
  const send = (operator: ApiOperator) => operator.changeGroup(name, change);
  await printAnswer(options, send, ({ group, changed, withdrawn }) => {
    const back = withdrawn === 0 ? '' : `; ${withdrawn} prepared launches were taken back`;
    printLine(
      changed
        ? `${done} the group of nodes ${group}${back}.`
        : `The group of nodes ${group} is unchanged.`,
    );
  });
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

const seeAdd = 'See: statecron group add --help';
