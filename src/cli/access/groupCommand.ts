import type { Command } from 'commander';
import { addAction } from '../connect/addAction.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { collect } from '../options/readOptions.ts';

/** `statecron group …`: groups of nodes, which the targets of jobs name. */
export function addGroupCommand(program: Command): void {
  const group = program
    .command('group')
    .description('Groups of nodes that jobs run on, or stay away from.');
  addExamples(group, overview);
  addChanging(group);
  addLooking(group);
}

function addChanging(group: Command): void {
  const add = group
    .command('add <name>')
    .description('Add a group.')
    .option('--node <name>', 'a node in it; may be repeated (none)', collect);
  addAction(add, '  $ statecron group add web --node web1 --node web2', async (name, options) =>
    (await import('./groupActions.ts')).addGroupAction(name, options),
  );

  const edit = group
    .command('edit <name>')
    .description('Change which nodes are in it; the jobs that name it follow at once.')
    .option('--node <name>', 'these and no others; may be repeated', collect)
    .option('--add-node <name>', 'this one, too; may be repeated', collect)
    .option('--remove-node <name>', 'not this one any more; may be repeated', collect);
  addAction(
    edit,
    '  $ statecron group edit web --add-node web3 --remove-node web1',
    async (name, options) => (await import('./groupActions.ts')).editGroupAction(name, options),
  );

  const remove = group.command('remove <name>').description('Remove a group that no job names.');
  addAction(remove, '  $ statecron group remove web', async (name, options) =>
    (await import('./groupActions.ts')).removeGroupAction(name, options),
  );
}

function addLooking(group: Command): void {
  const list = group.command('list').description('List the groups and how many jobs name each.');
  addAction(list, '  $ statecron group list', async (options) =>
    (await import('./groupActions.ts')).listGroupsAction(options),
  );

  const show = group
    .command('show <name>')
    .description('Show one group and the jobs that name it.');
  addAction(show, '  $ statecron group show web', async (name, options) =>
    (await import('./groupActions.ts')).showGroupAction(name, options),
  );
}

const overview = `
  $ statecron group add web --node web1 --node web2
  $ statecron group edit web --add-node web3
  $ statecron group show web
Jobs name a group to run there, or to stay away; after an edit is done nothing more is started by
what the group was before.`;
