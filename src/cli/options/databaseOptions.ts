import type { Command } from 'commander';

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

/** `--json`, on every command. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** Examples at the end of a command's help. */
export function addExamples(command: Command, examples: string): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.replace(/^\n|\n\s*$/g, '')}`);
}
