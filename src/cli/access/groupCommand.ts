import type { Command } from 'commander';
import { Actions } from '../connect/actions.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { collect } from '../options/readOptions.ts';

/** `statecron group …`: groups of nodes, which the targets of jobs name. */
export function addGroupCommand(program: Command): void {
  const actions = new Actions(() => import('./groupActions.ts'));
  const group = program
    .command('group')
    .description('Groups of nodes that jobs run on, or stay away from.');
  addExamples(group, overview);

  const add = group
    .command('add <name>')
    .description('Add a group.')
    .option('--node <name>', 'a node in it; may be repeated (none)', collect);
  actions.cluster(
    add,
    '  $ statecron group add web --node web1 --node web2',
    (module) => module.addGroupAction,
  );

  const edit = group
    .command('edit <name>')
    .description('Change which nodes are in it; the jobs that name it follow at once.')
    .option('--node <name>', 'these and no others; may be repeated', collect)
    .option('--add-node <name>', 'this one, too; may be repeated', collect)
    .option('--remove-node <name>', 'not this one any more; may be repeated', collect);
  actions.cluster(
    edit,
    '  $ statecron group edit web --add-node web3 --remove-node web1',
    (module) => module.editGroupAction,
  );

  const remove = group.command('remove <name>').description('Remove a group that no job names.');
  actions.cluster(remove, '  $ statecron group remove web', (module) => module.removeGroupAction);

  const list = group.command('list').description('List the groups and how many jobs name each.');
  actions.cluster(list, '  $ statecron group list', (module) => module.listGroupsAction);

  const show = group
    .command('show <name>')
    .description('Show one group and the jobs that name it.');
  actions.cluster(show, '  $ statecron group show web', (module) => module.showGroupAction);
}

const overview = `
  $ statecron group add web --node web1 --node web2
  $ statecron group edit web --add-node web3
  $ statecron group show web
Jobs name a group to run there, or to stay away; after an edit is done nothing more is started by
what the group was before.`;
