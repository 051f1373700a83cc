import { type Command, Option } from 'commander';
import { roles } from '../../domain/access/role.ts';
import { addAction } from '../connect/addAction.ts';
import { addExamples } from '../options/databaseOptions.ts';
import { collect } from '../options/readOptions.ts';

/** `statecron token …`: who may ask the API of a node, and what. */
export function addTokenCommand(program: Command): void {
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
  addAction(
    add,
    `
  $ statecron token add grafana --role viewer --expires 365d
  $ (umask 077; statecron token add deploy --role operator --group web > deploy.token)`,
    async (name, options) => (await import('./tokenActions.ts')).addTokenAction(name, options),
  );

  const list = token.command('list').description('List the tokens that are not revoked.');
  addAction(list, '  $ statecron token list', async (options) =>
    (await import('./tokenActions.ts')).listTokensAction(options),
  );

  const revoke = token
    .command('revoke <name>')
    .description('Revoke a token by its name or its id: no node lets it in any more.');
  addAction(revoke, '  $ statecron token revoke grafana', async (name, options) =>
    (await import('./tokenActions.ts')).revokeTokenAction(name, options),
  );
}

const overview = `
  $ statecron token add laptop --role admin
  $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:7700/api/v1/jobs
  $ statecron token revoke laptop
A node asks for a token whatever address it listens on; "statecron up" makes the first one.`;
