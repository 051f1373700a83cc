import { type Command, CommanderError } from 'commander';
import { exitCodes } from '../domain/errors/errors.ts';
import type { SetExitCode } from './connect/actions.ts';
import { packageVersion } from './connect/packageVersion.ts';
import { CliCommand } from './options/cliCommand.ts';
import type { DatabaseOptions } from './options/clusterOptions.ts';
import { reportFault, usageFault } from './output/reportFault.ts';

/**
 * Runs one command line and resolves to its exit code. Only the declaration of the command that it
 * names is loaded, and the module that does the work only when the command is run.
 */
export async function runProgram(given: readonly string[]): Promise<number> {
  const args = withHelpFlag(given);
  if (args.length === 0) return sayHowToBegin();
  let exitCode: number = exitCodes.ok;
  let options: DatabaseOptions = {};
  const isJson = args.slice(0, endOfFlags(args)).includes('--json');
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = await makeProgram(setExitCode, args);
    program.hook('preAction', (_, command) => {
      options = command.opts();
    });
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const { databaseFlags } = await import('./options/givenDatabase.ts');
    return reportFault(error, isJson, databaseFlags(options));
  }
}

/** Who gives no command may have just met the program. */
function sayHowToBegin(): number {
  process.stderr.write(`${start}\n`);
  const hint = 'All commands: statecron --help; the documentation: statecron docs';
  return reportFault(usageFault('A command is missing.', hint), false);
}

/**
 * The commands of the command line; `setExitCode` gets what one that succeeded ends with.
 * @param args those that are to be parsed: commands that cannot matter for them are left out
 */
export async function makeProgram(
  setExitCode: SetExitCode,
  args: readonly string[] = [],
): Promise<Command> {
  const [name = ''] = args;
  const named = declarations.filter(([names]) => names.split(' ').includes(name));
  const program = await declare(named, setExitCode);
  return isComplete(program, args) ? program : declare(declarations, setExitCode);
}

/** Whether the arguments name a command in full: else any other one may have been meant. */
function isComplete(program: Command, args: readonly string[]): boolean {
  const [name = '', below = '--'] = args;
  if (args.length === 1 && /^(-V|--version)$/.test(name)) return true;
  // The manual page is about all of them.
  if (name === 'print' && args.includes('man')) return false;
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return false;
  const isFlag = below.startsWith('-');
  // One that takes no argument may be meant of another command: "pause NAME".
  if (!isFlag && command.commands.length === 0 && command.registeredArguments.length === 0) {
    return false;
  }
  const names = command.commands.map((each) => each.name());
  return isFlag || names.length === 0 || names.includes(below);
}

async function declare(
  declared: readonly Declaration[],
  setExitCode: SetExitCode,
): Promise<Command> {
  const program = new CliCommand('statecron');
  program
    .description('Cron for more than one machine, on the MariaDB or MySQL that you already run.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .enablePositionalOptions()
    .addHelpText('after', overview);
  const adds = await Promise.all(declared.map(([, load]) => load()));
  for (const [index, add] of adds.entries()) {
    const heading = declared[index]?.[2];
    if (heading !== undefined) program.commandsGroup(heading);
    add(program, setExitCode);
  }
  return program;
}

/** `help job run` is `job run --help`; commander looks at the first word alone. */
export function withHelpFlag(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  return first === 'help' && rest.length > 0 ? [...rest, '--help'] : args;
}

function endOfFlags(args: readonly string[]): number {
  const end = args.indexOf('--');
  return end === -1 ? args.length : end;
}

type Declaration = readonly [
  names: string,
  load: () => Promise<(program: Command, setExitCode: SetExitCode) => void>,
  /** Of the help, above it and those that follow. */
  heading?: string,
];

/** The commands in the order of the help, and what declares them. */
const declarations: readonly Declaration[] = [
  ['up', async () => (await import('./node/nodeCommand.ts')).addUpCommand, 'Start:'],
  ['node', async () => (await import('./node/nodeCommand.ts')).addNodeCommand],
  ['job', async () => (await import('./jobs/jobCommand.ts')).addJobCommand, 'Jobs and runs:'],
  ['pause resume', async () => (await import('./jobs/bulkCommands.ts')).addTogetherCommands],
  ['runs', async () => (await import('./runs/runCommands.ts')).addRunsCommand],
  ['run', async () => (await import('./runs/runCommands.ts')).addRunCommand],
  ['upcoming', async () => (await import('./runs/runCommands.ts')).addUpcomingCommand],
  ['backfill', async () => (await import('./jobs/jobCommand.ts')).addBackfillCommand],
  ['apply export import', async () => (await import('./jobFile/fileCommands.ts')).addFileCommands],
  ['next', async () => (await import('./schedule/nextCommand.ts')).addNextCommand],
  [
    'cluster',
    async () => (await import('./cluster/clusterCommands.ts')).addClusterCommand,
    'The cluster:',
  ],
  ['group limit token', async () => (await import('./access/accessCommands.ts')).addAccessCommands],
  ['audit', async () => (await import('./access/auditCommand.ts')).addAuditCommand],
  ['notify', async () => (await import('./notifications/notifyCommand.ts')).addNotifyCommand],
  [
    'doctor',
    async () => (await import('./database/databaseCommands.ts')).addDoctorCommand,
    'Checks, upgrades, backups:',
  ],
  ['verify', async () => (await import('./cluster/clusterCommands.ts')).addVerifyCommand],
  ['observe', async () => (await import('./observe/observeCommand.ts')).addObserveCommand],
  ['migrate', async () => (await import('./database/databaseCommands.ts')).addMigrateCommand],
  ['backup restore', async () => (await import('./backup/backupCommands.ts')).addBackupCommands],
  [
    'machines',
    async () => (await import('./cluster/clusterCommands.ts')).addMachinesCommand,
    'To read and to set up:',
  ],
  ['print', async () => (await import('./print/printCommand.ts')).addPrintCommand],
  ['docs', async () => (await import('./docs/docsCommand.ts')).addDocsCommand],
];

const begin = `\
  $ statecron up                          a private database and a node in one
  $ statecron job add hello --cron '* * * * *' --command 'echo hello'
  $ statecron job show hello              its next runs, and how the last ended
  $ statecron job log hello               what its last run printed
  $ statecron runs                        what ran, newest first`;

const start = `\
Cron for more than one machine, on the MariaDB or MySQL that you already run.

Begin in two terminals, as the first command goes on until Ctrl-C:
${begin}
`;

const overview = `
Begin:
${begin}

In production, each machine runs a node on your own MariaDB or MySQL (statecron docs production):
  $ set -a; . /etc/statecron/environment; set +a      the settings of the service
  $ export STATECRON_DATABASE_PASSWORD_FILE=/etc/statecron/database-password
  $ statecron migrate --database-url mysql://statecron_migrate@db.example.org/statecron \\
      --database-password-file /root/statecron-migrate-password
  $ statecron doctor
  $ statecron print unit >/etc/systemd/system/statecron.service

The database, the first that is given:
  --database-url URL, --database-url-file FILE
  STATECRON_DATABASE_URL, STATECRON_DATABASE_URL_FILE (a file with the URL)
  DATABASE_URL, DATABASE_URL_FILE
  else the private one of a running "statecron up" (its folder: STATECRON_DATA)
The password may stand apart: --database-password-file or STATECRON_DATABASE_PASSWORD_FILE.
Either wins over the URL, but the variable not over a password in --database-url.
  mysql://USER:PASSWORD@HOST:3306/DATABASE?ssl=identity&sslCa=/etc/ssl/ca.pem

Or a node's API, for every command that is about a cluster; a flag wins over any variable:
  --url http://HOST:PORT or STATECRON_URL, https with --tls-ca FILE or STATECRON_TLS_CA
  its token: --token-file FILE, STATECRON_TOKEN_FILE or STATECRON_TOKEN (see statecron token)

Exit codes: 0 done, 1 failed, 2 usage, 69 database or node away, 75 fenced or try again,
78 configuration. With --json data is JSON on stdout, a fault {"error":{…}} on stderr.`;
