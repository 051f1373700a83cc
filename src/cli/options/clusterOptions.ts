import { type Command, Option } from 'commander';
import { usageFault } from '../output/reportFault.ts';

/** The flags that name a command's cluster, by a node's API or the database, and `--json`. */
export interface ClusterOptions extends DatabaseOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly tlsCa?: string;
  readonly json?: boolean;
}

export function addClusterOptions(command: Command): Command {
  command
    .option('--url <url>', 'the API of a node, http://HOST:PORT, instead of the database')
    .option('--token-file <file>', 'a file with the token for it')
    .option('--tls-ca <file>', 'the authority that its https certificate is checked by');
  return addDatabaseOptions(command);
}

/** Refuses `--url` on a command that works on this machine or on the database itself. */
export function refuseUrl(command: Command, why: string): Command {
  const option = new Option('--url <url>').hideHelp().argParser(() => {
    throw usageFault(
      `--url: ${command.name()} cannot be sent to a node: ${why}.`,
      'Run it with --database-url, or STATECRON_DATABASE_URL (see statecron --help).',
    );
  });
  return command.addOption(option);
}

/** The flags that name a command's database. */
export interface DatabaseOptions {
  readonly databaseUrl?: string;
  readonly databaseUrlFile?: string;
  readonly databasePasswordFile?: string;
}

export function addDatabaseOptions(command: Command): Command {
  return command
    .option('--database-url <url>', 'mysql://USER:PASSWORD@HOST/DATABASE (see statecron --help)')
    .option('--database-url-file <file>', 'a file with that URL')
    .option('--database-password-file <file>', 'a file with the password, which wins over the URL');
}

/** `--wide`, on the commands whose tables may be wider than a terminal. */
export function addWideOption(command: Command): Command {
  return command.option(
    '--wide',
    'all columns and whole texts, as in a pipe, however wide the terminal is',
  );
}

/** `--json`, on every command. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/**
 * Examples at the end of a command's help: a text that begins with a line end as it is, else
 * command lines without their prompt and the program's name.
 */
export function addExamples(command: Command, examples: string): Command {
  const text = examples.startsWith('\n') ? examples : examples.replace(/^/gm, '  $ statecron ');
  return command.addHelpText('after', `\nExamples:\n${text.replace(/^\n|\n\s*$/g, '')}`);
}
