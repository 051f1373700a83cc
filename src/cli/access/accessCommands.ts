import { type Command, Option } from 'commander';
import { roles } from '../../domain/access/role.ts';
import { Actions } from '../connect/actions.ts';
import { addExamples, addWideOption } from '../options/clusterOptions.ts';
import { collect } from '../options/readOptions.ts';
import { readEnd } from '../options/readTime.ts';

/** `statecron group`, `limit` and `token`: where jobs may run, how many at once, who may see. */
export function addAccessCommands(program: Command): void {
  addGroupCommands(addExamples(program.command('group'), ofGroups));
  addLimitCommands(addExamples(program.command('limit'), ofLimits));
  addTokenCommands(addExamples(program.command('token'), ofTokens));
}

/** Groups of nodes, which the targets of jobs name. */
function addGroupCommands(group: Command): void {
  const actions = new Actions(() => import('./groupActions.ts'));
  group.description('Groups of nodes that jobs run on, or stay away from.');

  const add = group
    .command('add <name>')
    .description('Add a group of nodes.')
    .option('--node <name>', 'a node in it; may be repeated (none)', collect);
  actions.cluster(add, 'group add web --node web1 --node web2', (module) => module.addGroupAction);

  const edit = group
    .command('edit <name>')
    .description('Change which nodes are in it; the jobs that name it follow at once.')
    .option('--node <name>', 'these and no others; may be repeated', collect)
    .option('--add-node <name>', 'this one, too; may be repeated', collect)
    .option('--remove-node <name>', 'not this one any more; may be repeated', collect);
  actions.cluster(
    edit,
    'group edit web --add-node web3 --remove-node web1',
    (module) => module.editGroupAction,
  );

  const remove = group
    .command('remove <name>')
    .description('Remove a group of nodes that no job names.');
  actions.cluster(remove, 'group remove web', (module) => module.removeGroupAction);

  const list = group
    .command('list')
    .description('List the groups of nodes and how many jobs name each, counted up to 10,000.');
  actions.cluster(list, 'group list', (module) => module.listGroupsAction);

  const show = group
    .command('show <name>')
    .description('Show a group of nodes and the jobs that name it.');
  actions.cluster(show, 'group show web', (module) => module.showGroupAction);
}

/** How many launches a group of jobs may have at once. */
function addLimitCommands(limit: Command): void {
  const actions = new Actions(() => import('./limitActions.ts'));
  limit.description(
    'How many launches all jobs of a group of jobs may have at once, on all nodes together.',
  );

  const set = limit
    .command('set <group> <number>')
    .description('Set the limit of a group of jobs (job add --group).');
  actions.cluster(set, 'limit set reports 4', (module) => module.setLimitAction);

  const remove = limit
    .command('remove <group>')
    .description('Take the limit of a group of jobs away.');
  actions.cluster(remove, 'limit remove reports', (module) => module.removeLimitAction);

  const list = limit.command('list').description('List the limits and what is held of each.');
  actions.cluster(list, 'limit list', (module) => module.listLimitsAction);
}

/** Who may use the API of a node, and for what. */
function addTokenCommands(token: Command): void {
  const actions = new Actions(() => import('./tokenActions.ts'));
  token.description('Tokens for the API of the nodes.');

  const add = token
    .command('add <name>')
    .description('Make a token and print it, this once: only its hash is stored.')
    .addOption(
      new Option('--role <role>', 'see; change jobs and runs, too; everything, tokens included')
        .choices(roles)
        .default('viewer'),
    )
    .option(
      '--group <name>',
      'only for jobs of this group; may be repeated (every job). It is no security boundary for ' +
        "operators: their jobs run as the node's user, who can reach the jobs of every group",
      collect,
    )
    .option(
      '--expires <when>',
      '90d, 20:00 or a time, without an offset in the zone of the terminal (never)',
      readEnd,
    );
  actions.cluster(add, addingTokens, (module) => module.addTokenAction);

  const list = token.command('list').description('List the tokens that are not revoked.');
  actions.cluster(addWideOption(list), 'token list', (module) => module.listTokensAction);

  const revoke = token
    .command('revoke <name>')
    .description('Revoke a token by its name or its id: no node lets it in any more.');
  actions.cluster(revoke, 'token revoke grafana', (module) => module.revokeTokenAction);
}

const ofGroups = `
  $ statecron group add web --node web1 --node web2
  $ statecron group edit web --add-node web3
  $ statecron group show web
Jobs name a group of nodes to run there (--on-group), or to stay away (--not-on-group); after an
edit is done nothing more is started by what the group was before. A group of jobs is another thing:
it is there as soon as a job names it (job add --group).`;

const ofLimits = `
  $ statecron limit set reports 4
  $ statecron job add daily --group reports --cron '0 4 * * *' --command ./daily.sh
A group of jobs is there as soon as a job names it; a group of nodes (statecron group) has no limit.
While a group is full its ticks wait, and are then made up for as the job's misfire policy says.`;

const addingTokens = `
  $ statecron token add grafana --role viewer --expires 365d
  $ (umask 077; statecron token add deploy --role operator --group web > deploy.token)`;

const ofTokens = `
  $ statecron token add laptop --role admin
  $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:7700/api/v1/jobs
  $ statecron token revoke laptop
A node asks for a token whatever address it listens on; "statecron up" makes the first one.`;
