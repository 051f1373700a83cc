import { type Command, Option } from 'commander';
import { roles } from '../../domain/access/role.ts';
import { Actions } from '../connect/actions.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { collect } from '../options/readOptions.ts';

/** `statecron token …`: who may use the API of a node, and for what. */
export function addTokenCommand(program: Command): void {
  const actions = new Actions(() => import('./tokenActions.ts'));
  const token = program.command('token').description('Tokens for the API of the nodes.');
  addExamples(token, overview);

  const add = token
    .command('add <name>')
    .description('Make a token. It is printed this once and kept nowhere.')
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
    .option('--expires <when>', 'an instant, or a time from now on such as 90d (never)');
  actions.cluster(
    add,
    `
  $ statecron token add grafana --role viewer --expires 365d
  $ (umask 077; statecron token add deploy --role operator --group web > deploy.token)`,
    (module) => module.addTokenAction,
  );

  const list = token.command('list').description('List the tokens that are not revoked.');
  actions.cluster(list, '  $ statecron token list', (module) => module.listTokensAction);

  const revoke = token
    .command('revoke <name>')
    .description('Revoke a token by its name or its id: no node lets it in any more.');
  actions.cluster(
    revoke,
    '  $ statecron token revoke grafana',
    (module) => module.revokeTokenAction,
  );
}

const overview = `
  $ statecron token add laptop --role admin
  $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:7700/api/v1/jobs
  $ statecron token revoke laptop
A node asks for a token whatever address it listens on; "statecron up" makes the first one.`;
